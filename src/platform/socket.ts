import { HandlerError, utf8 } from "../base/mod.ts";
import { isMissing } from "./files.ts";

/** A byte stream in both directions, as `Deno.Conn` is one. */
export type Connection = Deno.Conn;

/** A listening unix socket; closing it removes its file. */
export interface UnixListener extends AsyncIterable<Connection> {
  readonly path: string;
  close(): void;
}

/** The longest path a unix socket can have, in bytes, the closing NUL left out (Linux 107, macOS 103). */
export const SOCKET_PATH_LIMIT = Deno.build.os === "darwin" ? 103 : 107;

/** Refuses a path that the system would cut or refuse later, with a hint that helps. */
export function checkSocketPath(path: string): void {
  const length = utf8(path).length;
  if (length <= SOCKET_PATH_LIMIT) return;
  throw new HandlerError(
    "usage",
    `the socket path ${path} has ${length} bytes, a unix socket takes at most ${SOCKET_PATH_LIMIT}`,
    { hint: "set HANDLER_RUNTIME_DIR to a shorter folder" },
  );
}

/**
 * Listens on a unix socket, mode 0600 under the daemon's umask. A socket file that nobody answers on is replaced; one
 * that answers is somebody else's and an error (`Deno.listen` alone would silently take it away).
 */
export async function listenUnix(path: string): Promise<UnixListener> {
  await claimSocketPath(path);
  const listener = Deno.listen({ transport: "unix", path });
  return {
    path,
    [Symbol.asyncIterator]: () => listener[Symbol.asyncIterator](),
    close() {
      listener.close();
      removeSocketFile(path);
    },
  };
}

/** Makes sure that a socket can be made at `path`: short enough, and nobody listens there. */
export async function claimSocketPath(path: string): Promise<void> {
  checkSocketPath(path);
  if (await answers(path)) {
    throw new HandlerError("conflict", `another process already listens on ${path}`);
  }
  removeSocketFile(path);
}

async function answers(path: string): Promise<boolean> {
  try {
    (await Deno.connect({ transport: "unix", path })).close();
    return true;
  } catch {
    return false;
  }
}

function removeSocketFile(path: string): void {
  try {
    if (Deno.lstatSync(path).isSocket) Deno.removeSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Connects to a unix socket. */
export function connectUnix(path: string): Promise<Connection> {
  return Deno.connect({ transport: "unix", path });
}

/** Connects to an address and port; the address is used as given, no name is looked up here. */
export function connectTcp(address: string, port: number): Promise<Connection> {
  return Deno.connect({ transport: "tcp", hostname: address, port });
}

/** Listens on a loopback port; 0 takes a free one. */
export function listenLoopback(port: number): Deno.TcpListener {
  return Deno.listen({ transport: "tcp", hostname: "127.0.0.1", port });
}

/** Every address of a name, IPv4 first. */
export async function resolveHost(name: string): Promise<readonly string[]> {
  const { lookup } = await import("node:dns/promises");
  const found = await lookup(name, { all: true, verbatim: true });
  return found.sort((a, b) => a.family - b.family).map(({ address }) => address);
}

/** Copies both directions until both ends are done; returns the bytes that went each way. */
export async function splice(near: Connection, far: Connection): Promise<{ sent: number; received: number }> {
  const [sent, received] = await Promise.all([copyHalf(near, far), copyHalf(far, near)]);
  closeQuietly(near);
  closeQuietly(far);
  return { sent, received };
}

async function copyHalf(from: Connection, to: Connection): Promise<number> {
  const buffer = new Uint8Array(64 * 1024);
  let total = 0;
  try {
    for (;;) {
      const count = await from.read(buffer);
      if (count === null) break;
      await writeWhole(to, buffer.subarray(0, count));
      total += count;
    }
    await to.closeWrite();
  } catch {
    closeQuietly(from);
    closeQuietly(to);
  }
  return total;
}

/** Writes all bytes; `Deno.Conn.write` may take only some. */
export async function writeWhole(to: Connection, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await to.write(bytes.subarray(at));
}

/** Closes what may be closed already. */
export function closeQuietly(connection: Connection): void {
  try {
    connection.close();
  } catch {
    // closed by the other direction
  }
}
