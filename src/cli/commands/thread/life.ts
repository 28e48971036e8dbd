import { type Command, type Context, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { THREAD_ARGUMENT } from "../../thread_words.ts";
import { threadText } from "../../thread_views.ts";

/** `handler thread stop` */
export const threadStop: Command = {
  words: ["thread", "stop"],
  summary: "abort a thread's turn and let what waits wait",
  description:
    `Aborts the turn under way: its code's abort signal fires, and what it asks of the thread from then on is refused.
Messages that wait stay waiting until somebody sends another one or \`handler thread continue\` is said.`,
  args: [THREAD_ARGUMENT],
  options: [JSON_OPTION],
  examples: [{ line: "handler thread stop 01jdz…", does: "nothing goes on until you say so" }],
  async run(context) {
    const id = context.parsed.arg("THREAD");
    await context.daemon.threadStop(id);
    return await shown(context, id, `handler thread continue ${id}`);
  },
};

/** `handler thread continue` */
export const threadContinue: Command = {
  words: ["thread", "continue"],
  summary: "let a stopped thread go on",
  description: "Takes `handler thread stop` back: what waits is given to its side, in order.",
  args: [THREAD_ARGUMENT],
  options: [JSON_OPTION],
  examples: [{ line: "handler thread continue 01jdz…", does: "what waits goes on" }],
  async run(context) {
    const id = context.parsed.arg("THREAD");
    await context.daemon.threadResume(id);
    return await shown(context, id, `handler thread watch ${id}`);
  },
};

/** `handler thread terminate` */
export const threadTerminate: Command = {
  words: ["thread", "terminate"],
  summary: "end a thread for good; what it said stays",
  description:
    `Aborts the turn under way and takes no message from now on. Messages, log and files stay to be read; children go
on. This cannot be taken back.`,
  args: [THREAD_ARGUMENT],
  options: [JSON_OPTION],
  examples: [{ line: "handler thread terminate 01jdz…", does: "nobody can send to it any more" }],
  async run(context) {
    const id = context.parsed.arg("THREAD");
    await context.daemon.threadTerminate(id);
    return await shown(context, id, `handler thread remove ${id}`);
  },
};

async function shown({ daemon, output }: Context, id: string, next: string): Promise<number> {
  const view = await daemon.thread(id);
  output.data({ ...view }, () => threadText(view));
  output.next(next);
  return EXIT.done;
}
