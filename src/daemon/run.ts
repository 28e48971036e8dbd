import { parseArgs } from "node:util";
import { errorText, HANDLER_VERSION, HandlerError } from "../base/mod.ts";
import { folders, onSignals, refusePassedSockets, terminal } from "../platform/mod.ts";
import { type Daemon, type DaemonOptions, startDaemon } from "./daemon.ts";

const USAGE = `Usage: handlerd [--sandbox auto|podman|bubblewrap|deno] [--socket PATH] [--verbose]

Runs the daemon in the foreground until SIGINT, SIGTERM or \`handler shutdown\`; SIGHUP reloads the configuration.

Options:
  --sandbox DRIVER   for this run in place of config.toml's
  --socket PATH      where to listen in place of the home's own socket, which a proxy listens on then
  --verbose          the log tells every request and call
  --version          print the version
  -h, --help         print this

The folders are those of \`handler paths\`. Exit codes: 0 stopped, 1 failed, 2 bad usage, 6 another one runs already.
`;

const DRIVERS = ["auto", "podman", "bubblewrap", "deno"] as const;

/** The command `handlerd`. @returns the exit code */
export async function runDaemon(args: readonly string[]): Promise<number> {
  const options = readCommandLine(args);
  if (typeof options === "number") return options;
  let daemon: Daemon;
  try {
    refusePassedSockets();
    daemon = await startDaemon(options);
  } catch (error) {
    return reportFailure(error);
  }
  if (terminal.interactive) terminal.err("open the page with: handler open\n");
  const silence = onSignals(["SIGINT", "SIGTERM"], () => void daemon.stop());
  const deaf = onSignals(["SIGHUP"], () => void daemon.operations.reload().catch(reportFailure));
  await daemon.stopped;
  silence();
  deaf();
  return 0;
}

function readCommandLine(args: readonly string[]): DaemonOptions | number {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        sandbox: { type: "string" },
        socket: { type: "string" },
        verbose: { type: "boolean" },
        version: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help || values.version) {
      terminal.out(values.help ? USAGE : `handlerd ${HANDLER_VERSION}\n`);
      return 0;
    }
    const sandbox = DRIVERS.find((driver) => driver === values.sandbox);
    if (values.sandbox !== undefined && !sandbox) {
      throw new Error(`--sandbox is one of ${DRIVERS.join(", ")}, found ${JSON.stringify(values.sandbox)}`);
    }
    const { verbose = false, socket } = values;
    if (socket !== undefined && !socket.startsWith("/")) {
      throw new Error(`--socket is an absolute path, found ${JSON.stringify(socket)}`);
    }
    return { folders: folders(), verbose, quiet: false, sandbox, socket };
  } catch (error) {
    terminal.err(`handlerd: ${errorText(error)}\n\n${USAGE}`);
    return 2;
  }
}

function reportFailure(error: unknown): number {
  if (!(error instanceof HandlerError)) {
    terminal.err(`handlerd: ${error instanceof Error ? error.stack ?? error.message : String(error)}\n`);
    return 1;
  }
  terminal.err(`handlerd: ${error}\n${error.hint ? `  hint: ${error.hint}\n` : ""}`);
  return error.kind === "conflict" ? 6 : 1;
}
