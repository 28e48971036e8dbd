import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler person remove` */
export const personRemove: Command = {
  words: ["person", "remove"],
  summary: "remove a person and their inbox",
  description:
    `Removes a person's file and inbox. One who may still use an app is kept, and so is the owner. What apps keep
of a person stays with the apps.`,
  args: [{ name: "PERSON", takes: "one", help: "the person's name", completes: "person" }],
  options: [JSON_OPTION],
  examples: [{ line: "handler person remove alice", does: "she uses nothing here any more" }],
  async run({ daemon, output, parsed }) {
    const name = parsed.arg("PERSON");
    await daemon.personRemove(name);
    output.data({ person: name, removed: true }, () => "");
    output.note(`the person ${name} is removed, with their inbox`);
    return EXIT.done;
  },
};
