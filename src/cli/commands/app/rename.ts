import { appText } from "../../app_views.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler app rename` */
export const appRename: Command = {
  words: ["app", "rename"],
  summary: "give an app another name",
  description:
    `The app goes on under another name and address, with its versions, data, persons and shortcut. Before its next deploy
its manifest must say the new name. Windows that are open stop working.`,
  args: [
    { name: "APP", takes: "one", help: "its name", completes: "app" },
    { name: "NAME", takes: "one", help: "the new name" },
  ],
  options: [JSON_OPTION],
  examples: [{ line: "handler app rename notes jots", does: "notes is called jots" }],
  async run({ daemon, output, parsed }) {
    const app = await daemon.appRename(parsed.arg("APP"), parsed.arg("NAME"));
    output.data({ app }, () => appText(app));
    output.note(`write name = "${app.name}" into ${app.source}/app.toml before the next deploy`);
    output.next(`handler app open ${app.name}`);
    return EXIT.done;
  },
};
