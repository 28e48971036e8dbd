import { HandlerError, ProblemList } from "../base/mod.ts";
import type { Command } from "./command.ts";
import { lookUp } from "./lookup.ts";
import { nameOf } from "./parsed.ts";

/** Where the names of each kind of thing are seen. */
const LISTS: Readonly<Record<string, string>> = {
  agent: "agent list",
  app: "app list",
  binding: "binding list",
  connector: "connector list",
  interface: "interface list",
  person: "person list",
  project: "project list",
  secret: "secret list",
  session: "sessions --all",
  thread: "thread list",
};

/** An error with a hint where it has none of its own: the help of the command, or the list of what there is. */
export function hinted(
  error: HandlerError,
  args: readonly string[],
  commands: readonly Command[],
): HandlerError {
  if (error.hint !== undefined || error instanceof ProblemList) return error;
  const hint = hintFor(error, args, commands);
  if (hint === undefined) return error;
  const { kind, message, where, cause } = error;
  return new HandlerError(kind, message, { hint, cause, ...(where && { where }) });
}

function hintFor(
  { kind, message }: HandlerError,
  args: readonly string[],
  commands: readonly Command[],
): string | undefined {
  if (kind === "usage") {
    const found = lookUp(commands, args);
    return `see ${found.kind === "command" ? nameOf(found.command) : `handler ${found.noun}`} --help`;
  }
  const noun = kind === "not_found" ? /^(?:there is )?no (\w+)/.exec(message)?.[1] : undefined;
  const list = noun === undefined || !Object.hasOwn(LISTS, noun) ? undefined : LISTS[noun];
  return list && `see handler ${list}`;
}
