import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { oneOf } from "../../find.ts";
import { bindingText } from "../../views.ts";

/** `handler binding show` */
export const bindingShow: Command = {
  words: ["binding", "show"],
  summary: "show one binding",
  description:
    "Shows a binding's connector, settings, references to secrets, who uses it, and what is wrong with it.",
  args: [{ name: "BINDING", takes: "one", help: "its name", completes: "binding" }],
  options: [JSON_OPTION],
  examples: [{ line: "handler binding show ocr-local", does: "that binding" }],
  async run({ daemon, output, parsed }) {
    const one = oneOf(await daemon.bindings(), "binding", parsed.arg("BINDING"), ({ name }) => name);
    output.data({ binding: one }, () => bindingText(one));
    return EXIT.done;
  },
};
