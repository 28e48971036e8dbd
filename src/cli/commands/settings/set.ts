import type { SettingsView } from "../../../client/mod.ts";
import { type Command, type Context, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { noteWaiting, settingText } from "./list.ts";

const KEY = { name: "KEY", takes: "one", help: "such as records.keepDays" } as const;

/** `handler settings set` */
export const settingsSet: Command = {
  words: ["settings", "set"],
  summary: "change a setting",
  description:
    `Writes one key of config.toml and puts it in force; comments and all else in the file stay as they are. A list is
given with commas.`,
  args: [KEY, { name: "VALUE", takes: "one", mayBeEmpty: true, help: "what it shall be" }],
  options: [JSON_OPTION],
  examples: [{ line: "handler settings set records.keepDays 90", does: "records of three months" }],
  async run(context) {
    const { daemon, parsed } = context;
    return show(context, await daemon.settingSet(parsed.arg("KEY"), parsed.arg("VALUE")));
  },
};

/** `handler settings reset` */
export const settingsReset: Command = {
  words: ["settings", "reset"],
  summary: "let a setting have its standard again",
  description: "Takes one key out of config.toml, so that its standard holds again.",
  args: [KEY],
  options: [JSON_OPTION],
  examples: [{ line: "handler settings reset records.keepDays", does: "30 days again" }],
  async run(context) {
    const { daemon, parsed } = context;
    return show(context, await daemon.settingSet(parsed.arg("KEY"), null));
  },
};

function show({ output, parsed }: Context, { file, settings }: SettingsView): number {
  const mine = settings.filter(({ key }) => key === parsed.arg("KEY"));
  output.data({ file, settings: mine }, () => mine.map(settingText).join(""));
  noteWaiting(mine, (text) => output.note(text));
  return EXIT.done;
}
