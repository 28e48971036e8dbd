import { asHandlerError, type Clock, HandlerError, systemClock } from "../base/mod.ts";
import { type Client, connectClient } from "../client/mod.ts";
import { type Folders, folders, type Terminal, workingFolder } from "../platform/mod.ts";
import type { Command, Context } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { EXIT, EXIT_OF } from "./exit.ts";
import { commandHelp, nounHelp, overview } from "./help.ts";
import { hinted } from "./hints.ts";
import { lookUp } from "./lookup.ts";
import { Output } from "./output.ts";
import { parseWords } from "./parsed.ts";

/** What the command line stands in; a test gives its own. */
export interface Surroundings {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly folders: () => Folders;
  readonly cwd: () => string;
  readonly connect: (socketPath: string) => Client;
}

/** The `handler` command. @returns the exit code */
export function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  return runIn(args, { terminal, clock: systemClock, folders, cwd: workingFolder, connect: connectClient });
}

/** As {@linkcode runCli}, in given surroundings. */
export async function runIn(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const output = new Output({ terminal: surroundings.terminal, json: false });
  try {
    return await dispatch(args, surroundings, output);
  } catch (thrown) {
    if (isClosedPipe(thrown)) return EXIT.done;
    const error = hinted(asHandlerError(thrown), args, COMMANDS);
    output.error(error);
    return EXIT_OF[error.kind];
  }
}

async function dispatch(
  args: readonly string[],
  surroundings: Surroundings,
  output: Output,
): Promise<number> {
  const { terminal } = surroundings;
  const heading = (text: string) => output.style("bold", text);
  const [first, ...others] = args;
  if (first === undefined || first === "--help" || first === "-h" || first === "help") {
    return help(others, output, terminal, first === undefined);
  }
  if (first === "--version") return await dispatch(["version", ...others], surroundings, output);
  if (first.startsWith("-")) {
    throw new HandlerError("usage", `there is no option ${first}`, { hint: "see handler --help" });
  }
  const found = lookUp(COMMANDS, args);
  if (found.kind === "command") return await runCommand(found.command, found.rest, surroundings, output);
  const text = nounHelp(found.noun, found.commands, heading);
  if (others.includes("--help") || others.includes("-h")) {
    terminal.out(text);
    return EXIT.done;
  }
  terminal.err(text);
  return EXIT.usage;
}

/** Prints the help of what the words name; on stderr where nothing was asked. */
function help(words: readonly string[], output: Output, terminal: Terminal, unasked: boolean): number {
  const heading = (text: string) => output.style("bold", text);
  if (unasked) {
    terminal.err(overview(COMMANDS, heading));
    return EXIT.usage;
  }
  const found = words.length > 0 ? lookUp(COMMANDS, words) : undefined;
  if (!found) terminal.out(overview(COMMANDS, heading));
  else if (found.kind === "noun") terminal.out(nounHelp(found.noun, found.commands, heading));
  else terminal.out(commandHelp(found.command, heading));
  return EXIT.done;
}

async function runCommand(
  command: Command,
  rest: readonly string[],
  surroundings: Surroundings,
  talk: Output,
): Promise<number> {
  const { terminal, clock } = surroundings;
  const parsed = parseWords(command, command.hidden ? ["--", ...rest] : rest);
  if (parsed.help) {
    terminal.out(commandHelp(command, (text) => talk.style("bold", text)));
    return EXIT.done;
  }
  const output = new Output({ terminal, json: parsed.flag("json") });
  const places = surroundings.folders();
  using daemon = surroundings.connect(`${places.runtime}/handlerd.sock`);
  const context: Context = {
    parsed,
    terminal,
    output,
    clock,
    daemon,
    folders: places,
    cwd: surroundings.cwd(),
  };
  return await command.run(context);
}

/** Whoever read the output has gone, as `head` does. */
function isClosedPipe(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === "BrokenPipe";
}
