import { listen } from "./listen.ts";
import { required } from "./settings.ts";
import type { AnyTools, Handlers, ToolTypes } from "./types.ts";

/**
 * Serves the tools of an interface: `serve({ ocr_extract: async (input, { signal, fail }) => … })`. It listens where
 * HANDLER_CONNECTOR_SOCKET says and finds files under HANDLER_CONNECTOR_FILES; both are set in a connector's sandbox.
 *
 * The promise a handler returns is the tool's output; a declared error is `fail(code, message)`; anything else that
 * is thrown reaches the caller as `unavailable` without its text, and the operator's log with it.
 */
export function serve<
  T extends { readonly [K in keyof T]: ToolTypes } = AnyTools,
  Code extends string = string,
>(
  handlers: Handlers<T, Code>,
): void {
  const server = listen(handlers, {
    socket: required("HANDLER_CONNECTOR_SOCKET"),
    files: required("HANDLER_CONNECTOR_FILES"),
    log: (line) => console.error(line),
  });
  // the first process of a container is not ended by a signal that it does not listen to
  Deno.addSignalListener("SIGTERM", () => {
    server.close();
    Deno.exit(0);
  });
}
