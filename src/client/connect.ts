import { HandlerError } from "../base/mod.ts";
import { httpClientUnix } from "../platform/mod.ts";
import { type Client, clientOver } from "./client.ts";

const BASE = "http://handlerd/v1/";

/** What a person does where no daemon answers. */
const START = "start it with `handlerd`";

/**
 * A client of the daemon that listens on `socketPath`. It connects at the first request. Every function rejects with
 * the `HandlerError` that the daemon threw, or with `unreachable` where none answers.
 */
export function connectClient(socketPath: string): Client {
  const http = httpClientUnix(socketPath);
  return clientOver({
    send: (path, init) =>
      http.fetch(BASE + path, init).catch((error) => {
        if (!(error instanceof HandlerError)) throw error;
        throw new HandlerError("unreachable", `handlerd cannot be reached: ${error.message}`, {
          hint: START,
          cause: error,
        });
      }),
    [Symbol.dispose]: () => http[Symbol.dispose](),
  });
}
