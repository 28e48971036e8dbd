import type { Command } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { plain } from "../../text.ts";

/** `handler connector log` */
export const connectorLog: Command = {
  words: ["connector", "log"],
  summary: "show what a connector's sandbox wrote",
  description:
    `Shows the end of what the connector of a binding wrote to its stdout and stderr in its sandbox. Values of
secrets are left out.`,
  args: [{ name: "BINDING", takes: "one", help: "the binding whose connector runs", completes: "binding" }],
  options: [],
  examples: [{ line: "handler connector log ocr-local", does: "why it does not start" }],
  async run({ daemon, parsed, terminal, output }) {
    const log = await daemon.connectorLog(parsed.arg("BINDING"));
    terminal.out(plain(log));
    if (log === "") output.note("its log is empty");
    return EXIT.done;
  },
};
