import { appText } from "../../app_views.ts";
import { type Command, type Context, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { usage } from "../../parsed.ts";

/** `handler app shortcut` */
export const appShortcut: Command = {
  words: ["app", "shortcut"],
  summary: "open an app by keys of your desktop",
  description:
    `Writes a shortcut of your own into the settings of GNOME that opens the app's window; each press opens one. All other
shortcuts stay as they are, and keys that another one of yours has are refused. --clear takes it away.`,
  args: [
    { name: "APP", takes: "one", help: "its name", completes: "app" },
    { name: "KEYS", takes: "optional", help: 'such as "<Super>n" or "<Control><Alt>F2"' },
  ],
  options: [{ name: "clear", help: "take the shortcut away" }, JSON_OPTION],
  examples: [
    { line: 'handler app shortcut notes "<Super>n"', does: "Super and n open a window of notes" },
    { line: "handler app shortcut notes --clear", does: "no longer" },
  ],
  async run(context) {
    const { output, parsed } = context;
    const keys = parsed.optionalArg("KEYS");
    if (parsed.flag("clear") === (keys !== undefined)) {
      throw usage(parsed.command, "either KEYS or --clear must be given");
    }
    await change(context, parsed.arg("APP"), keys ?? null);
    if (keys !== undefined) output.note(`${keys} opens ${parsed.arg("APP")} from now on`);
    return EXIT.done;
  },
};

async function change({ daemon, output }: Context, name: string, keys: string | null): Promise<void> {
  const { app, alsoUsedBy } = await daemon.appShortcut(name, keys);
  output.data({ app, alsoUsedBy }, () => appText(app));
  if (alsoUsedBy === null) return;
  output.note(
    `the desktop uses these keys itself (${alsoUsedBy}); where they do not reach the app, choose others`,
  );
}
