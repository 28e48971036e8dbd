import { resolve } from "node:path";
import { linesOf } from "../../../base/mod.ts";
import { readChunks } from "../../../platform/mod.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler thread import` */
export const threadImport: Command = {
  words: ["thread", "import"],
  summary: "bring an exported thread back",
  description:
    `Reads what \`handler thread export\` wrote: the thread, its children and files come back under their old ids. An id
that is taken is a conflict, and nothing is written then.`,
  args: [{ name: "FILE", takes: "one", help: "the file, or - for stdin", completes: "file" }],
  options: [
    { name: "project", value: "NAME", help: "in place of the project it came from", completes: "project" },
    JSON_OPTION,
  ],
  examples: [{
    line: "handler thread import talk.jsonl --project desk",
    does: "the thread is of that project now",
  }],
  async run({ daemon, output, parsed, terminal, cwd }) {
    const file = parsed.arg("FILE");
    const chunks = file === "-" ? terminal.input() : await readChunks(resolve(cwd, file));
    const { id } = await daemon.threadImport(linesOf(chunks), parsed.value("project") ?? null);
    output.data({ thread: id }, () => `${id}\n`);
    output.next(`handler thread show ${id}`);
    return EXIT.done;
  },
};
