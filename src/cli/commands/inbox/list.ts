import type { InboxItem } from "../../../client/mod.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { count, oneLine, plain, wrap } from "../../text.ts";
import { localTime } from "../../time.ts";

const WIDTH = 88;

/** `handler inbox` */
export const inbox: Command = {
  words: ["inbox"],
  summary: "show what you were told",
  description:
    `Shows what apps and threads have told you, the newest last: when, by which app or project, title and text. A star
stands before what is unread. \`handler inbox read\` marks messages as read.`,
  args: [],
  options: [
    {
      name: "person",
      value: "NAME",
      help: "the inbox of this person; yours by default",
      completes: "person",
    },
    { name: "unread", help: "only what is unread" },
    JSON_OPTION,
  ],
  examples: [{ line: "handler inbox --unread", does: "what is new" }],
  async run({ daemon, output, parsed, terminal }) {
    const person = parsed.value("person") ?? "owner";
    const items = await daemon.inbox(person, parsed.flag("unread"));
    const width = Math.min(terminal.columns ?? WIDTH, WIDTH);
    output.data(
      { person, messages: items },
      () => items.toReversed().map((item) => itemText(item, width)).join("\n"),
    );
    if (items.length === 0) output.note(parsed.flag("unread") ? "nothing is unread" : "the inbox is empty");
    const unread = items.filter(({ read }) => !read).length;
    if (unread > 0) output.note(`${count(unread, "message")} unread`);
    return EXIT.done;
  },
};

function itemText({ id, title, text, source, at, link, read }: InboxItem, width: number): string {
  const head = `${read ? " " : "*"} ${localTime(at)}  ${source}  ${id}${link === null ? "" : `  ${link}`}`;
  const body = [oneLine(title), ...plain(text).split("\n")].filter((line, index) =>
    index === 0 || line !== ""
  );
  return `${head}\n${body.map((line) => wrap(line.trim(), width, "    ")).join("\n")}\n`;
}
