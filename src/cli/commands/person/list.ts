import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler person list` */
export const personList: Command = {
  words: ["person", "list"],
  summary: "list who uses apps here",
  description:
    `Lists the persons of the configuration, what each may use, and how much of their inbox is unread. The owner
is always there and may use every app.`,
  args: [],
  options: [JSON_OPTION],
  examples: [{ line: "handler person list", does: "all persons" }],
  async run({ daemon, output }) {
    const persons = await daemon.persons();
    output.list("persons", persons, {
      columns: [
        { title: "PERSON" },
        { title: "NAME", cut: true },
        { title: "APPS", cut: true },
        { title: "UNREAD", align: "right" },
        { title: "DESKTOP" },
      ],
      cells: persons.map((one) => [
        one.name,
        one.displayName,
        one.apps.join(", ") || "-",
        String(one.unread),
        one.desktop ? "on" : "off",
      ]),
      empty: "there are no persons",
    });
    return EXIT.done;
  },
};
