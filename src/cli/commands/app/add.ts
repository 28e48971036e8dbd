import { resolve } from "node:path";
import { appText } from "../../app_views.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler app add` */
export const appAdd: Command = {
  words: ["app", "add"],
  summary: "register an app's source folder",
  description:
    `Registers an app under the name in its manifest, app.toml. Deploys read from that folder. Nothing of it runs before
you deploy it.`,
  args: [{ name: "FOLDER", takes: "one", help: "the folder with app.toml", completes: "folder" }],
  options: [JSON_OPTION],
  examples: [{ line: "handler app add ./notes", does: "the app in that folder" }],
  async run({ daemon, output, parsed, cwd }) {
    const app = await daemon.appAdd(resolve(cwd, parsed.arg("FOLDER")));
    output.data({ app }, () => appText(app));
    output.next(`handler app deploy ${app.name}`);
    return EXIT.done;
  },
};
