import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { usage } from "../../parsed.ts";
import { count } from "../../text.ts";

/** `handler inbox read` */
export const inboxRead: Command = {
  words: ["inbox", "read"],
  summary: "mark messages as read",
  description:
    `Marks messages of an inbox as read, by the ids that \`handler inbox\` shows, or all that are there now.`,
  args: [{ name: "ID", takes: "many", help: "messages of handler inbox" }],
  options: [
    { name: "all", help: "all messages" },
    {
      name: "person",
      value: "NAME",
      help: "the inbox of this person; yours by default",
      completes: "person",
    },
    JSON_OPTION,
  ],
  examples: [{ line: "handler inbox read --all", does: "nothing is unread then" }],
  async run({ daemon, output, parsed }) {
    const given = parsed.rest("ID");
    if (parsed.flag("all") === (given.length > 0)) {
      throw usage(parsed.command, "either an ID or --all must be given");
    }
    const person = parsed.value("person") ?? "owner";
    const ids = given.length > 0 ? given : (await daemon.inbox(person, true)).map(({ id }) => id);
    if (ids.length > 0) await daemon.inboxRead(person, ids);
    output.data({ person, read: ids }, () => "");
    output.note(`${count(ids.length, "message")} marked as read`);
    return EXIT.done;
  },
};
