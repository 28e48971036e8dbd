import { relative, resolve } from "node:path";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler app new` */
export const appNew: Command = {
  words: ["app", "new"],
  summary: "begin an app: copy the template",
  description:
    `Writes a new app's source into a folder that is not there yet: a page, a backend with a database, migrations and
tests on both sides. In the folder \`deno task dev\`, \`test\` and \`build\` work.`,
  args: [
    { name: "NAME", takes: "one", help: "the new app's name, a DNS label: http://NAME.localhost:7430/" },
    { name: "FOLDER", takes: "optional", help: "where it is made; NAME by default", completes: "folder" },
  ],
  options: [JSON_OPTION],
  examples: [{ line: "handler app new notes", does: "the source of an app notes, in ./notes" }],
  async run({ daemon, output, parsed, cwd }) {
    const name = parsed.arg("NAME");
    const { folder } = await daemon.appNew(name, resolve(cwd, parsed.optionalArg("FOLDER") ?? name));
    output.data({ app: name, folder }, () => folder + "\n");
    const near = relative(cwd, folder);
    output.next(`handler app add ${near.startsWith("..") ? folder : `./${near}`}`);
    return EXIT.done;
  },
};
