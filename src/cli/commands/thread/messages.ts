import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { LIMIT_OPTION, limitOption, THREAD_ARGUMENT } from "../../thread_words.ts";
import { messageText, ofWire } from "../../thread_views.ts";

/** `handler thread messages` */
export const threadMessages: Command = {
  words: ["thread", "messages"],
  summary: "show what was said in a thread",
  description:
    `Shows the newest messages of a thread in their order. \`assistant\` is side A, \`user\` side B, whoever is behind
them. Silent messages, such as a child's report to its parent, are left out unless --silent asks for them.`,
  args: [THREAD_ARGUMENT],
  options: [LIMIT_OPTION, { name: "silent", help: "silent messages too" }, JSON_OPTION],
  examples: [
    { line: "handler thread messages 01jdz…", does: "the last 50" },
    { line: "handler thread messages 01jdz… --limit 1 --json", does: "the last one, for a program" },
  ],
  async run(context) {
    const { daemon, output, parsed } = context;
    const page = { limit: limitOption(context, 50), offset: 0, order: "desc" } as const;
    const newest = await daemon.threadMessages(parsed.arg("THREAD"), {
      ...page,
      includeSilent: parsed.flag("silent"),
    });
    const messages = newest.toReversed();
    const heading = (text: string) => output.style("bold", text);
    output.data({ messages }, () => messages.map((one) => messageText(ofWire(one), heading)).join(""));
    if (messages.length === 0) output.note("nothing was said yet");
    return EXIT.done;
  },
};
