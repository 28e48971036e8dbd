import { appText } from "../../app_views.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler app show` */
export const appShow: Command = {
  words: ["app", "show"],
  summary: "show one app",
  description: "Shows an app's version, state, address, persons, shortcut, data and source folder.",
  args: [{ name: "APP", takes: "one", help: "its name", completes: "app" }],
  options: [JSON_OPTION],
  examples: [{ line: "handler app show notes", does: "that app" }],
  async run({ daemon, output, parsed }) {
    const app = await daemon.app(parsed.arg("APP"));
    output.data({ app }, () => appText(app));
    return EXIT.done;
  },
};
