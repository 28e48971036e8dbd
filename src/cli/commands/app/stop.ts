import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler app stop` */
export const appStop: Command = {
  words: ["app", "stop"],
  summary: "stop an app's backend",
  description:
    `Lets the calls under way finish and stops the backend. The next call of its page starts it again.`,
  args: [{ name: "APP", takes: "one", help: "its name", completes: "app" }],
  options: [JSON_OPTION],
  examples: [{ line: "handler app stop notes", does: "until it is used again" }],
  async run({ daemon, output, parsed }) {
    const name = parsed.arg("APP");
    await daemon.appStop(name);
    output.data({ app: name, stopped: true }, () => "");
    output.note(`the app ${name} is stopped; its next call starts it again`);
    return EXIT.done;
  },
};
