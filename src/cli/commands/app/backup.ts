import { resolve } from "node:path";
import { type Command, type Context, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { usage } from "../../parsed.ts";
import { bytes, localTime } from "../../time.ts";

/** `handler app backup` */
export const appBackup: Command = {
  words: ["app", "backup"],
  summary: "copy an app's data, or list its backups",
  description:
    `Copies an app's data into a new folder. The backend is brought to rest for that moment, and every database of the
copy is opened and queried before the copy counts. With --list: the backups that deploys, roll-backs and restores have
left.`,
  args: [
    { name: "APP", takes: "one", help: "its name", completes: "app" },
    { name: "FOLDER", takes: "optional", help: "the new folder", completes: "folder" },
  ],
  options: [{ name: "list", help: "list the backups that are kept" }, JSON_OPTION],
  examples: [
    { line: "handler app backup notes ./notes-data", does: "a copy of its data" },
    { line: "handler app backup notes --list", does: "what handler app restore can bring back" },
  ],
  async run(context) {
    const { daemon, output, parsed, cwd } = context;
    const [name, given] = [parsed.arg("APP"), parsed.optionalArg("FOLDER")];
    if (parsed.flag("list") === (given !== undefined)) {
      throw usage(parsed.command, "either a FOLDER or --list must be given");
    }
    if (given === undefined) return await list(context, name);
    const folder = resolve(cwd, given);
    await daemon.appBackup(name, folder);
    output.data({ app: name, folder }, () => folder + "\n");
    output.note(`the data of ${name} is copied and checked`);
    return EXIT.done;
  },
};

async function list({ daemon, output }: Context, name: string): Promise<number> {
  const backups = await daemon.appBackups(name);
  output.list("backups", backups, {
    columns: [{ title: "BACKUP" }, { title: "TAKEN" }, { title: "SIZE", align: "right" }, { title: "WHY" }],
    cells: backups.map((one) => [one.name, localTime(one.takenAt), bytes(one.bytes), one.why]),
    empty: "there are no backups of it",
  });
  return EXIT.done;
}
