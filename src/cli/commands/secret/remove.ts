import type { Command } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler secret remove` */
export const secretRemove: Command = {
  words: ["secret", "remove"],
  summary: "forget a stored secret",
  description:
    "Removes a secret that Handler keeps. A binding that refers to it does not start its connector any more.",
  args: [{ name: "NAME", takes: "one", help: "what it is called", completes: "secret" }],
  options: [],
  examples: [{ line: "handler secret remove mistral-ocr", does: "forget it" }],
  async run({ daemon, output, parsed }) {
    const name = parsed.arg("NAME");
    await daemon.secretRemove(name);
    output.note(`the secret ${name} is forgotten`);
    output.next("handler secret list");
    return EXIT.done;
  },
};
