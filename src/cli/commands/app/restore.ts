import { resolve } from "node:path";
import { appText } from "../../app_views.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler app restore` */
export const appRestore: Command = {
  words: ["app", "restore"],
  summary: "put a backup in the place of an app's data",
  description:
    `Brings back a copy of an app's data; the installed version stays. The data of now is kept as a backup of its own, so
that this can be taken back.`,
  args: [
    { name: "APP", takes: "one", help: "its name", completes: "app" },
    {
      name: "BACKUP",
      takes: "one",
      help: "a name of handler app backup --list, or a folder (with a / in it)",
      completes: "folder",
    },
  ],
  options: [JSON_OPTION],
  examples: [
    { line: "handler app restore notes kept-1764500000000", does: "what a roll-back has set aside" },
    { line: "handler app restore notes ./notes-data", does: "what handler app backup copied" },
  ],
  async run({ daemon, output, parsed, cwd }) {
    const [name, from] = [parsed.arg("APP"), parsed.arg("BACKUP")];
    const { app, kept } = await daemon.appRestore(name, from.includes("/") ? resolve(cwd, from) : from);
    output.data({ app, kept }, () => appText(app));
    output.note(`the data of before is kept; handler app restore ${name} ${kept} brings it back`);
    output.next(`handler app open ${name}`);
    return EXIT.done;
  },
};
