import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { plain } from "../../text.ts";

/** `handler app log` */
export const appLog: Command = {
  words: ["app", "log"],
  summary: "show what an app's backend printed",
  description:
    `Shows the end of what the backends of an app wrote to stdout and stderr. Values of secrets are left out.`,
  args: [{ name: "APP", takes: "one", help: "its name", completes: "app" }],
  options: [JSON_OPTION],
  examples: [{ line: "handler app log notes", does: "why it does not start" }],
  async run({ daemon, output, parsed }) {
    const log = await daemon.appLog(parsed.arg("APP"));
    output.data({ log }, () => plain(log));
    if (log === "" && !output.json) output.note("its log is empty");
    return EXIT.done;
  },
};
