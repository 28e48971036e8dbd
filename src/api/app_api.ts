import { asHandlerError, HandlerError, type Logger, ProblemList } from "../base/mod.ts";
import { type NewMessage, TooMuch } from "../inbox/mod.ts";
import { type HttpServer, serveHttpUnix, setMode } from "../platform/mod.ts";
import { optional, record, required, text } from "../schema/mod.ts";
import { readBody } from "./body.ts";
import { STATUS } from "./errors.ts";

/** What Handler's own API for one app is made of (seed `mini-apps.md` §7). */
export interface AppApiParts {
  /** The app's name in the registry; every message that comes in over the socket is its own. */
  readonly app: string;
  readonly log: Logger;
  /** Whether the installed version's manifest asks for it. */
  mayNotify(): boolean;
  /** Whether a person may use the app; nobody else hears of it. */
  mayUse(person: string): boolean;
  put(message: NewMessage): unknown;
}

/** The most bytes of a request. */
const BODY_LIMIT = 16 * 1024;

const notice = record({
  title: required(text({ max: 1000 })),
  text: optional(text({ empty: true, max: 8000 }), ""),
  link: optional(text({ max: 501 })),
  person: optional(text({ max: 40 }), "owner"),
});

/**
 * Serves `$HANDLER_APP_API` on a unix socket in a folder that the app's sandbox alone mounts: who reaches the socket is
 * the app. `POST /notify` with `{ title, text?, link?, person? }` puts a message into a person's inbox and answers 202. A
 * refusal is `{ "error": kind, "message": … }`: 403 without `needs.notify` or for a person the app is not shared with, 429
 * with `Retry-After` for too much.
 */
export async function serveAppApi(parts: AppApiParts, socketPath: string): Promise<HttpServer> {
  const server = await serveHttpUnix(socketPath, (request) => answer(parts, request));
  await setMode(socketPath, 0o666); // the folders above are the person's alone; the sandbox's user may be another one
  return server;
}

async function answer(parts: AppApiParts, request: Request): Promise<Response> {
  try {
    const { pathname } = new URL(request.url);
    if (pathname !== "/notify") {
      throw new HandlerError("not_found", `there is nothing at ${pathname.slice(0, 200)}`);
    }
    if (request.method !== "POST") return refusal(new HandlerError("usage", "/notify takes POST"), 405);
    await notify(parts, request);
    return new Response(null, { status: 202 });
  } catch (thrown) {
    const error = asHandlerError(thrown, "POST /notify");
    if (error.kind === "internal") parts.log.log("error", error.message, { app: parts.app });
    if (error instanceof TooLarge) return refusal(error, 413);
    if (!(error instanceof TooMuch)) return refusal(error, STATUS[error.kind]);
    return refusal(error, 429, { "retry-after": String(Math.ceil(error.waitMs / 1000)) });
  }
}

async function notify({ app, mayNotify, mayUse, put }: AppApiParts, request: Request): Promise<void> {
  if (!mayNotify()) {
    throw new HandlerError("denied", `the app ${app} may not put messages into inboxes`, {
      hint: "its manifest says notify = true under [needs]",
    });
  }
  const { link, person, ...words } = await readBody(await bounded(request), notice);
  if (!mayUse(person)) {
    throw new HandlerError("denied", `the app ${app} is not shared with ${JSON.stringify(person)}`);
  }
  put({ ...words, person, link: link ?? null, source: `app:${app}` });
}

class TooLarge extends HandlerError {
  constructor() {
    super("usage", `a message has at most ${BODY_LIMIT} bytes`);
  }
}

/** The request with its body read, or refused as soon as it is too large. */
async function bounded(request: Request): Promise<Request> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new TooLarge();
    chunks.push(new Uint8Array(chunk));
  }
  return new Request(request.url, { method: "POST", headers: request.headers, body: new Blob(chunks) });
}

function refusal(
  error: HandlerError,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const problems = error instanceof ProblemList ? error.problems.map((one) => one.toString()) : [];
  const message = [error.message, ...problems].join("; ");
  return Response.json({ error: error.kind, message, ...(error.hint && { hint: error.hint }) }, {
    status,
    headers,
  });
}
