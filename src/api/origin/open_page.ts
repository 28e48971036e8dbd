import type { FrontResponse, RawHeader } from "../../platform/mod.ts";
import { SECURITY_HEADERS } from "./policy.ts";

/** Where a one-time link leads: the token stands behind `#`, which no server and no log ever sees. */
export const OPEN_PATH = "/_handler/open";

/** What stands behind the token, after a slash, is where to go on: a path of this origin and nothing else. */
const SCRIPT = `const say = (text) => document.querySelector("p").textContent = text;
const [, token, path] = /^#([^/]*)\\/?(.*)$/.exec(location.hash) ?? ["", "", ""];
history.replaceState(null, "", location.pathname);
fetch(location.pathname, { method: "POST", body: token }).then(async (answer) => {
  if (answer.ok) location.replace(location.origin + "/" + path);
  else say(await answer.text());
}, () => say("handlerd does not answer"));
`;

const STYLE =
  "body{font:1rem/1.5 system-ui;margin:4rem auto;max-width:30rem;padding:0 1rem;color-scheme:light dark}";

/** What a link opens. */
export interface Opens {
  /** As a person reads it. */
  readonly name: string;
  /** The command that gives a new link. */
  readonly command: string;
}

/** The page behind a one-time link: its script spends the token and goes on. */
export async function opener(response: FrontResponse, { name }: Opens): Promise<void> {
  const [script, style] = await Promise.all([hashSource(SCRIPT), hashSource(STYLE)]);
  const body = html(name, "One moment.", `<script>${SCRIPT}</script>`);
  await send(
    response,
    200,
    body,
    `default-src 'none'; img-src data:; connect-src 'self'; script-src ${script}; style-src ${style}`,
  );
}

/** What a browser without a good cookie gets: how to open it again (contract H.2). */
export async function signedOut(response: FrontResponse, { name, command }: Opens): Promise<void> {
  const style = await hashSource(STYLE);
  const body = html(name, `This window is not signed in (any more). Open it again with: ${command}`, "");
  await send(response, 401, body, `default-src 'none'; img-src data:; style-src ${style}`);
}

function html(name: string, text: string, more: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<link rel="icon" href="data:,">` + // the browser asks for none
    `<title>${name}</title><style>${STYLE}</style><h1>${name}</h1><p role="status">${text}</p>${more}</html>\n`;
}

async function send(response: FrontResponse, status: number, body: string, policy: string): Promise<void> {
  const rest = SECURITY_HEADERS.filter(([name]) => name !== "content-security-policy");
  const own: RawHeader = [
    "content-security-policy",
    `${policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  ];
  const headers: RawHeader[] = [
    ["content-type", "text/html; charset=utf-8"],
    ["cache-control", "no-store"],
    own,
    ...rest,
  ];
  await response.send(status, headers, new TextEncoder().encode(body));
}

async function hashSource(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return `'sha256-${btoa(String.fromCharCode(...digest))}'`;
}
