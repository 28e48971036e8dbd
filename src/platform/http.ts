import { delay, HandlerError } from "../base/mod.ts";
import { claimSocketPath } from "./socket.ts";
import { removeQuietly } from "./files.ts";

/** An HTTP server on a unix socket. */
export interface HttpServer {
  readonly path: string;
  /**
   * Takes no new requests and waits at most `graceMs` for those under way; the socket file is gone then. What takes
   * longer is left to the end of the process: Deno has no way to cut it.
   */
  stop(graceMs: number): Promise<void>;
}

/**
 * Serves HTTP on a unix socket, mode 0600 under the daemon's umask. As with `listenUnix`, a socket file that
 * somebody answers on is an error.
 */
export async function serveHttpUnix(
  path: string,
  handle: (request: Request) => Response | Promise<Response>,
): Promise<HttpServer> {
  await claimSocketPath(path);
  const server = Deno.serve({ path, onListen() {} }, handle);
  return {
    path,
    async stop(graceMs) {
      const ended = server.shutdown();
      const waited = new AbortController();
      await Promise.race([ended, delay(graceMs, waited.signal).catch(() => {})]);
      waited.abort();
      await removeQuietly(path);
    },
  };
}

/** Sends HTTP requests to one unix socket. */
export interface HttpClient extends Disposable {
  /** As `fetch`; the URL's host is only what the `Host` header says. @throws {HandlerError} `unreachable` */
  fetch(url: string, init?: RequestInit): Promise<Response>;
}

/** A client of the HTTP server on a unix socket. Nothing is connected before the first request. */
export function httpClientUnix(path: string): HttpClient {
  const client = Deno.createHttpClient({ proxy: { transport: "unix", path } });
  return {
    async fetch(url, init = {}) {
      try {
        return await fetch(url, { ...init, client });
      } catch (error) {
        if (init.signal?.aborted) throw error;
        throw new HandlerError("unreachable", `nobody answers on ${path}`, { cause: error });
      }
    },
    [Symbol.dispose]: () => client.close(),
  };
}
