import { errorText } from "../../base/mod.ts";
import { FrameWriter, readFrames } from "../../wire/mod.ts";
import { Session } from "./session.ts";
import type { AnyTools, Handlers, ToolTypes } from "./types.ts";

/** The longest message taken from the router, in bytes (contract S.11). */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Where a connector listens. */
export interface ListenOptions {
  /** The path of the unix socket. */
  readonly socket: string;
  /** The folder whose `in/` and `out/` hold the calls' files. */
  readonly files: string;
  /** Takes one line for the operator. */
  readonly log: (line: string) => void;
}

/** A connector that listens. */
export interface ConnectorServer {
  /** Stops listening, drops every connection and aborts their calls. */
  close(): void;
}

/** Serves an interface's tools on a unix socket; {@linkcode serve} with everything told. */
export function listen<
  T extends { readonly [K in keyof T]: ToolTypes } = AnyTools,
  Code extends string = string,
>(
  handlers: Handlers<T, Code>,
  options: ListenOptions,
): ConnectorServer {
  const listener = Deno.listen({ transport: "unix", path: options.socket });
  const connections = new Set<Deno.Conn>();
  (async () => {
    for await (const connection of listener) {
      connections.add(connection);
      attend(connection, handlers as unknown as Handlers, options).finally(() =>
        connections.delete(connection)
      );
    }
  })();
  return {
    close() {
      listener.close();
      for (const connection of connections) closeQuietly(connection);
    },
  };
}

/** Serves one connection until either side ends it. */
async function attend(connection: Deno.Conn, handlers: Handlers, options: ListenOptions): Promise<void> {
  const writer = new FrameWriter(connection, () => session.end("the connection was lost"));
  const session = new Session({
    handlers,
    files: options.files,
    log: options.log,
    send: (message) => writer.send(JSON.stringify(message) + "\n"),
  });
  try {
    await readFrames(
      connection,
      MAX_MESSAGE_BYTES,
      (frames) => frames.forEach((frame) => session.receive(frame)),
    );
  } catch (error) {
    options.log(`the connection ended: ${errorText(error)}`);
  } finally {
    session.end("the connection was lost");
    closeQuietly(connection);
  }
}

function closeQuietly(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // its stream has closed it
  }
}
