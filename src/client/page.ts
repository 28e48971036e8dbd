/**
 * The client as the page uses it: the same operations over the browser's own fetch, to the origin that it came from.
 * @module
 */
import { HandlerError } from "../base/mod.ts";
import { type Client, clientOver } from "./client.ts";

export type { Client } from "./client.ts";
export type * from "../api/mod.ts";
export { rebuilt } from "./errors.ts";
export { asHandlerError, HandlerError, type Json, ProblemList } from "../base/mod.ts";

/** A client over this page's own origin; its cookie says who asks. */
export function pageClient(): Client {
  return clientOver({
    send: (path, init) =>
      fetch(`/v1/${path}`, init).catch((error) => {
        if (init.signal?.aborted) throw error;
        throw new HandlerError("unreachable", "handlerd does not answer", { cause: error });
      }),
    [Symbol.dispose]() {},
  });
}
