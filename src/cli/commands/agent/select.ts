import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { selectFor, wantedBindings } from "../../select.ts";

/** `handler agent select` */
export const agentSelect: Command = {
  words: ["agent", "select"],
  summary: "choose who provides an interface for an agent",
  description:
    `Changes the one value that decides which binding provides an interface for an agent. Several bindings are an
order of preference: the next is tried only where the one before is unavailable. The agent's tools stay the same.`,
  args: [
    { name: "AGENT", takes: "one", help: "its name", completes: "agent" },
    { name: "INTERFACE", takes: "one", help: "such as ocr", completes: "interface-name" },
    { name: "BINDING", takes: "many", help: "the bindings in order of preference", completes: "binding" },
  ],
  options: [{ name: "clear", help: "choose none: the project's choice counts" }, JSON_OPTION],
  examples: [
    { line: "handler agent select clerk ocr ocr-mistral-perso", does: "swap the service" },
    {
      line: "handler agent select clerk ocr ocr-mistral-perso ocr-local",
      does: "the second where the first is down",
    },
  ],
  async run(context) {
    const { parsed } = context;
    await selectFor(context, "agent", parsed.arg("AGENT"), parsed.arg("INTERFACE"), wantedBindings(context));
    return EXIT.done;
  },
};
