import type { Command } from "../command.ts";
import { endDaemon } from "../end_daemon.ts";
import { EXIT } from "../exit.ts";

/** `handler shutdown` */
export const shutdown: Command = {
  words: ["shutdown"],
  summary: "end the daemon",
  description:
    `Asks handlerd to end, and waits until it has. Connectors are stopped; sessions of agents go on and are
taken over by the next handlerd. One that \`handler install\` made a service of starts again with the next command that
asks it something.`,
  args: [],
  options: [],
  examples: [{ line: "handler shutdown", does: "end handlerd" }],
  async run({ daemon, output }) {
    await endDaemon(daemon);
    output.note("handlerd has ended");
    return EXIT.done;
  },
};
