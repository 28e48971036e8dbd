import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { servicesText } from "../../views.ts";

/** `handler project list` */
export const projectList: Command = {
  words: ["project", "list"],
  summary: "list the projects",
  description:
    "Lists the projects: a work folder, what its agents need, and who provides it where they do not choose.",
  args: [],
  options: [JSON_OPTION],
  examples: [{ line: "handler project list", does: "all projects" }],
  async run({ daemon, output }) {
    const all = await daemon.projects();
    output.list("projects", all, {
      columns: [
        { title: "PROJECT" },
        { title: "FOLDER", cut: true },
        { title: "REQUIRES", cut: true },
        { title: "SERVICES", cut: true },
        { title: "PRIVACY" },
        { title: "AGENTS", cut: true },
      ],
      cells: all.map((one) => [
        one.name,
        one.path,
        one.requires.join(", ") || "-",
        servicesText(one.services) || "-",
        one.privacy,
        one.agents.join(", ") || "-",
      ]),
      empty: "there are no projects yet; make one with handler project add",
    });
    return EXIT.done;
  },
};
