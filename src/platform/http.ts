import { delay } from "../base/mod.ts";
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
