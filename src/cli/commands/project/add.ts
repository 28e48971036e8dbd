import { resolve } from "node:path";
import { type Command, JSON_OPTION, REPLACE_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { usage } from "../../parsed.ts";
import { projectText } from "../../views.ts";

/** `handler project add` */
export const projectAdd: Command = {
  words: ["project", "add"],
  summary: "make a project of a work folder",
  description:
    `Writes a new file in the folder projects of the configuration. The folder is what the project's agents see and
change, at the same path inside and outside their sandboxes. With --privacy local, bindings whose connector has a
network are refused. A name that is taken is refused, but with --replace: then the project is what you say here, and
keeps its services and env.`,
  args: [
    { name: "NAME", takes: "one", help: "the new project's name" },
    { name: "FOLDER", takes: "one", help: "the work folder", completes: "folder" },
  ],
  options: [
    {
      name: "requires",
      value: "INTERFACE",
      many: true,
      help: "such as ocr/v1; may stand many times",
      completes: "interface",
    },
    { name: "privacy", value: "local|any", help: "any by default", completes: ["local", "any"] },
    REPLACE_OPTION,
    JSON_OPTION,
  ],
  examples: [{
    line: "handler project add books ~/books --requires ocr/v1",
    does: "a project that needs OCR",
  }],
  async run({ daemon, output, parsed, cwd }) {
    const privacy = parsed.value("privacy") ?? "any";
    if (privacy !== "local" && privacy !== "any") {
      throw usage(parsed.command, `--privacy is local or any, found ${JSON.stringify(privacy)}`);
    }
    const project = await daemon.projectAdd({
      name: parsed.arg("NAME"),
      path: resolve(cwd, parsed.arg("FOLDER")),
      requires: parsed.values("requires"),
      privacy,
      replace: parsed.flag("replace"),
    });
    output.data({ project }, () => projectText(project));
    output.next(`handler agent add NAME --project ${project.name}`);
    return EXIT.done;
  },
};
