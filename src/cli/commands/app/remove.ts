import { type Command, JSON_OPTION } from "../../command.ts";
import { confirm, YES_OPTION } from "../../confirm.ts";
import { EXIT } from "../../exit.ts";
import { bytes } from "../../time.ts";

/** `handler app remove` */
export const appRemove: Command = {
  words: ["app", "remove"],
  summary: "remove an app; its data stays unless told",
  description:
    `Forgets an app with its versions, persons and shortcut. Its source folder is never touched. Its data and backups stay,
and an app of that name that is added later finds them; --data removes them too, and that cannot be taken back, so it is
asked for.`,
  args: [{ name: "APP", takes: "one", help: "its name", completes: "app" }],
  options: [{ name: "data", help: "remove its data and backups too" }, YES_OPTION, JSON_OPTION],
  examples: [
    { line: "handler app remove notes", does: "its data stays" },
    { line: "handler app remove notes --data --yes", does: "nothing of it stays" },
  ],
  async run(context) {
    const { daemon, output, parsed } = context;
    const [name, withData] = [parsed.arg("APP"), parsed.flag("data")];
    const { dataBytes, source } = await daemon.app(name);
    if (withData) {
      confirm(context, {
        text: `Remove ${name} and its data (${bytes(dataBytes)}) for good?`,
        about: `whether the data of ${name} may be removed`,
        hint: "use --yes to remove it for good",
      });
    }
    await daemon.appRemove(name, withData);
    output.data({ app: name, removed: true, dataRemoved: withData }, () => "");
    output.note(`the app ${name} is removed; ${withData ? "its data too" : "its data stays"}`);
    if (!withData) output.note(`handler app add ${source} brings it back`);
    return EXIT.done;
  },
};
