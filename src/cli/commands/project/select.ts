import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { selectFor, wantedBindings } from "../../select.ts";

/** `handler project select` */
export const projectSelect: Command = {
  words: ["project", "select"],
  summary: "choose who provides an interface for a project's agents",
  description:
    `Sets the default of a project: the bindings of an interface for all its agents that choose none of their own.
Several bindings are an order of preference.`,
  args: [
    { name: "PROJECT", takes: "one", help: "its name", completes: "project" },
    { name: "INTERFACE", takes: "one", help: "such as ocr", completes: "interface-name" },
    { name: "BINDING", takes: "many", help: "the bindings in order of preference", completes: "binding" },
  ],
  options: [{ name: "clear", help: "have no default" }, JSON_OPTION],
  examples: [{
    line: "handler project select books ocr ocr-local",
    does: "all its agents read scans on this machine",
  }],
  async run(context) {
    const { parsed } = context;
    await selectFor(
      context,
      "project",
      parsed.arg("PROJECT"),
      parsed.arg("INTERFACE"),
      wantedBindings(context),
    );
    return EXIT.done;
  },
};
