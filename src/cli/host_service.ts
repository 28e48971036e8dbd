import { asHandlerError, HandlerError, NAME_PATTERN } from "../base/mod.ts";
import { connectClient } from "../client/mod.ts";
import { folders, type Terminal } from "../platform/mod.ts";
import { EXIT_OF } from "./exit.ts";
import { Output } from "./output.ts";

/** `handler-service` of an agent outside any sandbox. */
export interface HostService {
  /** The words without `--agent NAME`. */
  readonly args: readonly string[];
  /** Asks the daemon for the folder of the agent's sockets, which it opens where they are not. */
  open(): Promise<string>;
}

/**
 * Reads `handler-service INTERFACE --agent NAME`.
 * @throws {HandlerError} `usage`
 */
export function hostService(args: readonly string[]): HostService {
  const at = args.findIndex((word) => word === "--agent" || word.startsWith("--agent="));
  const inline = args[at]?.slice("--agent=".length);
  const agent = args[at] === "--agent" ? args[at + 1] : inline;
  if (agent === undefined || !NAME_PATTERN.test(agent)) {
    throw new HandlerError(
      "usage",
      `--agent needs the name of an agent, found ${JSON.stringify(agent ?? null)}`,
    );
  }
  const rest = [...args.slice(0, at), ...args.slice(args[at] === "--agent" ? at + 2 : at + 1)];
  return {
    args: rest,
    async open() {
      using daemon = connectClient(`${folders().runtime}/handlerd.sock`);
      return (await daemon.externalServices(agent)).folder;
    },
  };
}

/** Says an error of `handler-service` on the host. @returns the exit code */
export function failedService(thrown: unknown, terminal: Terminal): number {
  const error = asHandlerError(thrown);
  new Output({ terminal, json: false }).error(error);
  return EXIT_OF[error.kind];
}
