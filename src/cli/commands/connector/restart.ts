import type { Command } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler connector restart` */
export const connectorRestart: Command = {
  words: ["connector", "restart"],
  summary: "start a binding's connector anew",
  description:
    `Starts a fresh sandbox for the connector of a binding and lets the old one finish its calls. Secrets are
resolved again. A connector that is not running is started by its next call anyway.`,
  args: [{ name: "BINDING", takes: "one", help: "the binding", completes: "binding" }],
  options: [],
  examples: [{ line: "handler connector restart ocr-mistral-perso", does: "after changing its key" }],
  async run({ daemon, parsed, output }) {
    const binding = parsed.arg("BINDING");
    await daemon.connectorRestart(binding);
    output.note(`the connector of ${binding} starts anew`);
    return EXIT.done;
  },
};
