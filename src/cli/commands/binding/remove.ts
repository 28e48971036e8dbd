import type { Command } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler binding remove` */
export const bindingRemove: Command = {
  words: ["binding", "remove"],
  summary: "remove a binding",
  description:
    "Removes a binding's file. One that an agent or a project selects is kept: take the selection away first.",
  args: [{ name: "BINDING", takes: "one", help: "its name", completes: "binding" }],
  options: [],
  examples: [{ line: "handler binding remove ocr-old", does: "remove it" }],
  async run({ daemon, output, parsed }) {
    const name = parsed.arg("BINDING");
    await daemon.bindingRemove(name);
    output.note(`the binding ${name} is removed`);
    output.next("handler binding list");
    return EXIT.done;
  },
};
