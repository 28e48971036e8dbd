import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler threads list` */
export const threadsList: Command = {
  words: ["threads", "list"],
  summary: "list what a project defines",
  description:
    `Lists a project's agents, handlers, prompts, tools, models, hooks and effects with their files. An agent's name is
what \`handler thread new\` takes.`,
  args: [{ name: "PROJECT", takes: "one", help: "its name", completes: "project" }],
  options: [JSON_OPTION],
  examples: [{ line: "handler threads list desk", does: "its definitions" }],
  async run({ daemon, output, parsed }) {
    const project = parsed.arg("PROJECT");
    const { definitions, problems } = await daemon.threadsCheck(project);
    output.list("definitions", definitions, {
      columns: [{ title: "KIND" }, { title: "NAME" }, { title: "FILE" }, { title: "DESCRIPTION", cut: true }],
      cells: definitions.map(({ kind, name, file, description }) => [kind, name, file, description || "-"]),
      empty: `${project} defines nothing yet in its folder agents/`,
    });
    if (problems.length > 0) output.next(`handler threads check ${project}`);
    return EXIT.done;
  },
};
