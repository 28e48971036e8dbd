import { resolve } from "node:path";
import { appText } from "../../app_views.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler app import` */
export const appImport: Command = {
  words: ["app", "import"],
  summary: "take in an app that was exported",
  description:
    `Registers the app of a file that \`handler app export\` made, with its data. Nothing of it runs before you deploy it,
which shows what it asks for. Refused where an app or data of that name is here.`,
  args: [{ name: "FILE", takes: "one", help: "the file", completes: "file" }],
  options: [JSON_OPTION],
  examples: [{ line: "handler app import notes.app", does: "from another machine" }],
  async run({ daemon, output, parsed, cwd }) {
    const app = await daemon.appImport(resolve(cwd, parsed.arg("FILE")));
    output.data({ app }, () => appText(app));
    output.next(`handler app deploy ${app.name}`);
    return EXIT.done;
  },
};
