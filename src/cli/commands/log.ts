import type { Command } from "../command.ts";
import { EXIT } from "../exit.ts";
import { showLog } from "../session_log.ts";

/** `handler log` */
export const log: Command = {
  words: ["log"],
  summary: "show what a session wrote",
  description: "Shows the log of a session, of one that has ended too.",
  args: [{ name: "SESSION", takes: "one", help: "its id", completes: "session" }],
  options: [{ name: "follow", short: "f", help: "go on until it ends or Ctrl-C" }],
  examples: [{ line: "handler log 01jdz…", does: "everything it wrote" }],
  async run(context) {
    await showLog(context, context.parsed.arg("SESSION"), context.parsed.flag("follow"));
    return EXIT.done;
  },
};
