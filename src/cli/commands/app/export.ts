import { basename, resolve } from "node:path";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler app export` */
export const appExport: Command = {
  words: ["app", "export"],
  summary: "pack an app with its data into one file",
  description:
    `Writes the installed version and the data of an app into a file that another machine imports. Secrets, chosen folders
and who may use it are settled anew there.`,
  args: [
    { name: "APP", takes: "one", help: "its name", completes: "app" },
    { name: "FILE", takes: "one", help: "the new file", completes: "file" },
  ],
  options: [JSON_OPTION],
  examples: [{ line: "handler app export notes notes.app", does: "to take it elsewhere" }],
  async run({ daemon, output, parsed, cwd }) {
    const [name, file] = [parsed.arg("APP"), resolve(cwd, parsed.arg("FILE"))];
    await daemon.appExport(name, file);
    output.data({ app: name, file }, () => file + "\n");
    output.note(`on the other machine: handler app import ${basename(file)}`);
    return EXIT.done;
  },
};
