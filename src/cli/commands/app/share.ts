import { appText } from "../../app_views.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler app share` */
export const appShare: Command = {
  words: ["app", "share"],
  summary: "let a person use an app, or no longer",
  description:
    `An app is yours alone until you share it. Its backend is told which person a request comes from, and may keep data
for each. With --remove the person's windows stop working at once; their data stays.`,
  args: [
    { name: "APP", takes: "one", help: "its name", completes: "app" },
    { name: "PERSON", takes: "one", help: "a person of handler person list", completes: "person" },
  ],
  options: [{ name: "remove", help: "take it away again" }, JSON_OPTION],
  examples: [{ line: "handler app share notes alice", does: "she may use it too" }],
  async run({ daemon, output, parsed }) {
    const [name, person] = [parsed.arg("APP"), parsed.arg("PERSON")];
    const app = await daemon.appShare(name, person, !parsed.flag("remove"));
    output.data({ app }, () => appText(app));
    if (!parsed.flag("remove")) output.next(`handler app open ${name} --person ${person} --print`);
    return EXIT.done;
  },
};
