import type { PersonView } from "../../../client/mod.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { usage } from "../../parsed.ts";
import { pairs } from "../../table.ts";
import { plain } from "../../text.ts";

/** `handler person add` */
export const personAdd: Command = {
  words: ["person", "add"],
  summary: "make a person who may use apps",
  description:
    `Writes a file in the folder persons of the configuration; of a person who is there already, what you say is changed.
Sharing an app with the person is another step. What a person is told appears on this machine's desktop only with
--desktop on; the owner's does by default.`,
  args: [{ name: "NAME", takes: "one", help: "the person's name: a-z, 0-9 and -" }],
  options: [
    { name: "display-name", value: "TEXT", help: "the name as it is shown" },
    {
      name: "desktop",
      value: "on|off",
      help: "whether their messages appear on this desktop",
      completes: ["on", "off"],
    },
    JSON_OPTION,
  ],
  examples: [{ line: 'handler person add alice --display-name "Alice M."', does: "somebody of the family" }],
  async run({ daemon, output, parsed }) {
    const desktop = parsed.value("desktop");
    if (desktop !== undefined && desktop !== "on" && desktop !== "off") {
      throw usage(parsed.command, `--desktop is on or off, found ${JSON.stringify(desktop)}`);
    }
    const person = await daemon.personAdd({
      name: parsed.arg("NAME"),
      displayName: parsed.value("display-name") ?? null,
      desktop: desktop === undefined ? null : desktop === "on",
    });
    output.data({ person }, () => personText(person));
    output.next(`handler app share APP ${person.name}`);
    return EXIT.done;
  },
};

function personText({ name, displayName, desktop, apps, file }: PersonView): string {
  return plain(pairs([
    ["person", name],
    ["name", displayName],
    ["desktop", desktop ? "on" : "off"],
    ["apps", apps.join(", ") || "none"],
    ...(file === null ? [] : [["file", file] as const]),
  ]));
}
