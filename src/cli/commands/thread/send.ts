import { resolve } from "node:path";
import { HandlerError } from "../../../base/mod.ts";
import { readBytes } from "../../../platform/mod.ts";
import { type Command, type Context, JSON_OPTION, type Option } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { interruptible } from "../../interrupt.ts";
import { usage } from "../../parsed.ts";
import { plain } from "../../text.ts";
import { untilRest, type Waited } from "../../thread_rest.ts";
import { freePath, messageWord, numberOption, THREAD_ARGUMENT, typeOfFile } from "../../thread_words.ts";
import { rowTime } from "../../thread_views.ts";

/** What `thread send` and `thread answer` take besides the text. */
export const SEND_OPTIONS: readonly Option[] = [
  {
    name: "file",
    value: "PATH",
    many: true,
    help: "a file to go with it, below /attachments/",
    completes: "file",
  },
  { name: "wait", short: "w", help: "wait until the thread rests and print what was answered" },
  { name: "timeout", value: "SECONDS", help: "with --wait: give up after so long, with exit code 75" },
];

const SIDES = ["a", "b"] as const;

/** `handler thread send` */
export const threadSend: Command = {
  words: ["thread", "send"],
  summary: "say something in a thread",
  description:
    `Puts a message into a thread and returns once it is on disk; the side that acts on it gets it in its turn.
The text is one word of the command line, or \`-\` for what stdin says. It is said for the agent's human side where there is
one, else for side B. A thread that was stopped goes on.

With --wait the answers of the other side go to stdout as they are; without one, or after a turn that failed, the exit code
is 1.`,
  args: [
    THREAD_ARGUMENT,
    { name: "TEXT", takes: "one", mayBeEmpty: true, help: "the message, or - for stdin" },
  ],
  options: [
    ...SEND_OPTIONS,
    { name: "side", value: "SIDE", help: "a or b: the side it is said for", completes: SIDES },
    JSON_OPTION,
  ],
  examples: [
    { line: 'handler thread send 01jdz… "hello"', does: "prints the message's id" },
    { line: 'handler thread send 01jdz… "what is on it?" --file scan.pdf --wait', does: "prints the answer" },
    { line: "git diff | handler thread send 01jdz… - --wait", does: "the text comes from stdin" },
  ],
  async run(context) {
    const side = SIDES.find((one) => one === context.parsed.value("side"));
    if (context.parsed.value("side") !== undefined && !side) {
      throw usage(
        context.parsed.command,
        `--side is a or b, found ${JSON.stringify(context.parsed.value("side"))}`,
      );
    }
    return await say(context, context.parsed.arg("THREAD"), context.parsed.arg("TEXT"), side);
  },
};

/** Sends a message with its files and, where it is asked for, waits for the answer. */
export async function say(
  context: Context,
  id: string,
  word: string,
  side: (typeof SIDES)[number] | undefined,
): Promise<number> {
  const { daemon, output, parsed } = context;
  const timeout = numberOption(context, "timeout", 1, 86_400 * 7);
  const content = await messageWord(context, word);
  const { thread } = await daemon.thread(id);
  const attachments = await putFiles(context, id);
  const message = await daemon.threadSend(id, { content, side, metadata: undefined, attachments });
  if (!parsed.flag("wait")) {
    output.data({ message }, () => `${message.id}\n`);
    output.next(`handler thread watch ${id}`);
    return EXIT.done;
  }
  using interrupt = interruptible();
  const limit = timeout === undefined ? [] : [AbortSignal.timeout(timeout * 1000)];
  const waited = await untilRest(daemon, id, thread.seq, AbortSignal.any([interrupt.signal, ...limit]))
    .catch((error) => {
      if (interrupt.signal.aborted || !limit.some(({ aborted }) => aborted)) throw error;
      throw new HandlerError("timeout", `there was no answer within ${timeout} s; the thread goes on`);
    });
  return answered(context, message.role, waited);
}

/** Prints what the other side said. */
function answered({ output }: Context, role: string, { messages, failed, held, view }: Waited): number {
  const answers = messages.filter((row) =>
    row.content !== null && row.role !== role && row.role !== "tool" && row.role !== "system"
  );
  output.data(
    { answers, turn: failed ?? null, held: held ?? null },
    () => answers.map(({ content }) => `${plain(content ?? "")}\n`).join(""),
  );
  if (failed) {
    output.note(`a turn failed at ${rowTime(failed.startedAt)}: ${failed.error?.message ?? failed.state}`);
  } else if (held !== undefined) output.note(`what was said waits until this is put right: ${held}`);
  else if (answers.length === 0) output.note("the thread rests without an answer");
  if (failed || answers.length === 0) output.next(`handler thread log ${view.thread.id}`);
  return failed || answers.length === 0 ? EXIT.failed : EXIT.done;
}

async function putFiles({ daemon, parsed, cwd }: Context, id: string): Promise<readonly string[]> {
  const files = parsed.values("file");
  if (files.length === 0) return [];
  const taken = new Set((await daemon.threadFiles(id)).map(({ path }) => path));
  const put: string[] = [];
  for (const file of files) {
    const path = freePath(file, taken);
    taken.add(path);
    await daemon.threadPutFile(id, path, typeOfFile(file), await readFile(resolve(cwd, file)));
    put.push(path);
  }
  return put;
}

async function readFile(path: string): Promise<Uint8Array> {
  try {
    return await readBytes(path);
  } catch (error) {
    throw new HandlerError("not_found", `the file ${path} cannot be read`, { cause: error });
  }
}
