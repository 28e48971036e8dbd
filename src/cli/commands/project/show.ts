import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { oneOf } from "../../find.ts";
import { projectText } from "../../views.ts";

/** `handler project show` */
export const projectShow: Command = {
  words: ["project", "show"],
  summary: "show one project",
  description:
    "Shows a project's work folder, what it requires, its default bindings, its privacy and its agents.",
  args: [{ name: "PROJECT", takes: "one", help: "its name", completes: "project" }],
  options: [JSON_OPTION],
  examples: [{ line: "handler project show books", does: "that project" }],
  async run({ daemon, output, parsed }) {
    const one = oneOf(await daemon.projects(), "project", parsed.arg("PROJECT"), ({ name }) => name);
    output.data({ project: one }, () => projectText(one));
    return EXIT.done;
  },
};
