import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { THREAD_ARGUMENT } from "../../thread_words.ts";
import { threadText } from "../../thread_views.ts";

/** `handler thread show` */
export const threadShow: Command = {
  words: ["thread", "show"],
  summary: "show one thread",
  description:
    "Shows what a thread is and does: its agent, state, session, messages that wait, and its children.",
  args: [THREAD_ARGUMENT],
  options: [JSON_OPTION],
  examples: [{ line: "handler thread show 01jdz…", does: "that thread" }],
  async run({ daemon, output, parsed }) {
    const view = await daemon.thread(parsed.arg("THREAD"));
    output.data({ ...view }, () => threadText(view));
    return EXIT.done;
  },
};
