import type { Command } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler project remove` */
export const projectRemove: Command = {
  words: ["project", "remove"],
  summary: "remove a project",
  description: "Removes a project's file. Its work folder stays as it is. One that still has agents is kept.",
  args: [{ name: "PROJECT", takes: "one", help: "its name", completes: "project" }],
  options: [],
  examples: [{ line: "handler project remove books", does: "remove it" }],
  async run({ daemon, output, parsed }) {
    const name = parsed.arg("PROJECT");
    await daemon.projectRemove(name);
    output.note(`the project ${name} is removed; its folder is untouched`);
    output.next("handler project list");
    return EXIT.done;
  },
};
