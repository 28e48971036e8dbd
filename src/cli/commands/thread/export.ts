import { resolve } from "node:path";
import { utf8 } from "../../../base/mod.ts";
import { createFile } from "../../../platform/mod.ts";
import { type Command, type Context } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { interruptible } from "../../interrupt.ts";
import { THREAD_ARGUMENT } from "../../thread_words.ts";

/** `handler thread export` */
export const threadExport: Command = {
  words: ["thread", "export"],
  summary: "write a thread and its children as lines of JSON",
  description:
    `Writes everything of a thread and its children, files among it, into a new file or to stdout: one JSON object a
line. \`handler thread import\` brings it back, here or on another machine. Values of variables that are secret, and those
of \`thread new --env\` are, stay behind.`,
  args: [THREAD_ARGUMENT, {
    name: "FILE",
    takes: "optional",
    help: "the new file; stdout without",
    completes: "file",
  }],
  options: [],
  examples: [
    { line: "handler thread export 01jdz… talk.jsonl", does: "a copy" },
    { line: "handler thread export 01jdz… | head -1", does: "its first line" },
  ],
  async run(context) {
    const { parsed, output, cwd } = context;
    const [id, file] = [parsed.arg("THREAD"), parsed.optionalArg("FILE")];
    if (file === undefined) {
      await toStdout(context, id);
      return EXIT.done;
    }
    const path = resolve(cwd, file);
    using interrupt = interruptible();
    await createFile(path, encoded(context.daemon.threadExport(id, interrupt.signal)));
    context.terminal.out(`${path}\n`);
    output.next(`handler thread import ${file}`);
    return EXIT.done;
  },
};

async function toStdout({ daemon, terminal }: Context, id: string): Promise<void> {
  using interrupt = interruptible();
  for await (const line of daemon.threadExport(id, interrupt.signal)) terminal.out(`${line}\n`);
}

async function* encoded(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const line of lines) yield utf8(`${line}\n`);
}
