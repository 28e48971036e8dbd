import { type Command, JSON_OPTION } from "../../command.ts";
import { confirm, YES_OPTION } from "../../confirm.ts";
import { EXIT } from "../../exit.ts";
import { count } from "../../text.ts";
import { THREAD_ARGUMENT } from "../../thread_words.ts";

/** `handler thread remove` */
export const threadRemove: Command = {
  words: ["thread", "remove"],
  summary: "remove a thread with all it holds",
  description:
    `Removes a thread with its children, messages, log and files. That cannot be taken back, so it is asked for;
\`handler thread export\` keeps a copy.`,
  args: [THREAD_ARGUMENT],
  options: [YES_OPTION, JSON_OPTION],
  examples: [{ line: "handler thread remove 01jdz… --yes", does: "nothing of it stays" }],
  async run(context) {
    const { daemon, output, parsed } = context;
    const id = parsed.arg("THREAD");
    const { thread, children, messages } = await daemon.thread(id);
    const held = [count(messages, "message"), ...(children.length > 0 ? [childCount(children.length)] : [])];
    confirm(context, {
      text: `Remove the thread ${id} of ${thread.agent} with ${held.join(" and ")} for good?`,
      about: `whether the thread ${id} may be removed`,
      hint: "use --yes to remove it for good",
    });
    await daemon.threadRemove(id);
    output.data({ thread: id, removed: true }, () => "");
    output.note(`the thread ${id} is removed`);
    return EXIT.done;
  },
};

function childCount(number: number): string {
  return number === 1 ? "1 child" : `${number} children`;
}
