import type { Command } from "../command.ts";
import { followSession } from "../session_log.ts";

/** `handler attach` */
export const attach: Command = {
  words: ["attach"],
  summary: "see what a session writes, and write to it",
  description:
    `Shows a session's log from its beginning and goes on until it ends. On a terminal, lines that you type are sent to
its stdin. Ctrl-C leaves; the session goes on.`,
  args: [{ name: "SESSION", takes: "one", help: "its id", completes: "session" }],
  options: [
    { name: "read-only", help: "send nothing on" },
    { name: "stdin", help: "send on what comes in on stdin, also where it is no terminal" },
  ],
  examples: [{ line: "handler attach 01jdz…", does: "see how it is getting on" }],
  async run(context) {
    const { daemon, parsed, terminal } = context;
    const { id } = await daemon.session(parsed.arg("SESSION"));
    const input = !parsed.flag("read-only") && (parsed.flag("stdin") || terminal.interactive);
    return await followSession(context, id, input);
  },
};
