import type { SettingView } from "../../../client/mod.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { wrap } from "../../text.ts";

/** `handler settings` */
export const settings: Command = {
  words: ["settings"],
  summary: "show the settings of this machine",
  description:
    `Lists every key that config.toml may have, what holds, and what it is for. A star stands before those that the
file says; the others have their standard. \`handler settings set\` writes one.`,
  args: [],
  options: [JSON_OPTION],
  examples: [{ line: "handler settings", does: "all of them" }],
  async run({ daemon, output }) {
    const { file, settings } = await daemon.settings();
    output.data({ file, settings }, () => settings.map(settingText).join(""));
    output.note(file);
    noteWaiting(settings, (text) => output.note(text));
    return EXIT.done;
  },
};

/** A setting and what it is for. */
export function settingText({ key, value, set, description, choices }: SettingView): string {
  const words = choices.length > 0 ? ` (${choices.join(", ")})` : "";
  return `${set ? "*" : " "} ${key} = ${value || "-"}\n${wrap(description + words, 88, "    ")}\n`;
}

/** Says which settings need a new start. */
export function noteWaiting(settings: readonly SettingView[], note: (text: string) => void): void {
  const waiting = settings.filter(({ waits }) => waits).map(({ key }) => key);
  if (waiting.length > 0) note(`from the next start of handlerd on: ${waiting.join(", ")}`);
}
