import { HandlerError } from "../base/mod.ts";
import type { Actor } from "./ports.ts";

/** The names that a client of the control socket calls it by. */
const HOSTS = new Set(["handlerd", "localhost"]);

/** Headers that only a browser's page sends; no page has business on the control socket. */
const PAGE_HEADERS = ["origin", "referer"];

/** Says who makes a request, before any handler runs. @throws {HandlerError} `denied` */
export type Guard = (request: Request) => Actor;

/** A request of the desk's page: its origin has settled who it is, and that it may ask. */
export const pageActor: Guard = () => ({ kind: "owner", via: "page" });

/**
 * Who makes a request on the control socket. Reaching the socket takes the owner's user id (its folder has
 * mode 0700); what remains is a page or a proxy that was talked into reaching it for somebody else.
 * @throws {HandlerError} `denied`
 */
export function socketActor(request: Request): Actor {
  const host = request.headers.get("host");
  if (host === null || !HOSTS.has(host)) {
    throw denied("the control socket answers to the host handlerd or localhost alone");
  }
  if (new URL(request.url).host !== host) {
    throw denied("the request line names another host than the header Host");
  }
  for (const name of PAGE_HEADERS) {
    if (request.headers.has(name)) {
      throw denied(`the control socket takes no request with the header ${name}`);
    }
  }
  return { kind: "owner", via: "socket" };
}

function denied(message: string): HandlerError {
  return new HandlerError("denied", message);
}
