/**
 * The desk's origin of a real daemon, asked as a browser asks, byte by byte.
 * @module
 */
import { askPort } from "../apps/ask.ts";
import type { SystemHome } from "../system/home.ts";

/** Where a desk is served, and the cookie of who opened it. */
export interface SignedIn {
  readonly port: number;
  /** `localhost:<port>` */
  readonly host: string;
  readonly origin: string;
  readonly cookie: string;
}

/** Spends a one-time link as its page does. */
export async function signIn(home: SystemHome): Promise<SignedIn> {
  const { url } = await home.client.deskLink();
  return { ...await spend(url), port: Number(new URL(url).port) };
}

/** Spends a link of the desk or of an app. */
export async function spend(link: string): Promise<Omit<SignedIn, "port">> {
  const { host, origin, port, pathname, hash } = new URL(link);
  const headers = { host, origin };
  const answer = await askPort(Number(port), {
    method: "POST",
    path: pathname,
    headers,
    body: hash.slice(1),
  });
  const cookie = answer.headers["set-cookie"]?.[0]?.split(";")[0];
  if (cookie === undefined) throw new Error(`the link was not taken: ${answer.status} ${answer.text}`);
  return { host, origin, cookie };
}

/** A request as it goes over the wire; what is left out is as the desk's own page has it. */
export interface Wire {
  readonly method?: string;
  readonly target?: string;
  /** Each stands in a line of its own; an empty list for none. */
  readonly hosts?: readonly string[];
  readonly origins?: readonly string[];
  readonly cookies?: readonly string[];
  /** More lines. */
  readonly more?: readonly string[];
  readonly body?: string;
}

/** The text of a request. */
export function wireText(own: SignedIn, asked: Wire): string {
  const { method = "GET", target = "/v1/status", body } = asked;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(asked.hosts ?? [own.host]).map((host) => `Host: ${host}`),
    ...(asked.origins ?? (method === "GET" ? [] : [own.origin])).map((origin) => `Origin: ${origin}`),
    ...(asked.cookies ?? [own.cookie]).map((cookie) => `Cookie: ${cookie}`),
    ...asked.more ?? [],
    ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
    "Connection: close",
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}
