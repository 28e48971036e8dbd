import { resolve } from "node:path";
import { utf8 } from "../../../base/mod.ts";
import { createFile } from "../../../platform/mod.ts";
import { callFilters, FILTER_OPTIONS, limitOf } from "../../call_filters.ts";
import type { Command } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { interruptible } from "../../interrupt.ts";
import { usage } from "../../parsed.ts";

const FORMATS = ["csv", "jsonl"] as const;

/** `handler calls export` */
export const callsExport: Command = {
  words: ["calls", "export"],
  summary: "write the record of service calls into a file",
  description:
    `Writes the records of calls, the newest first, into a new file or to stdout: as comma-separated values (csv) for a
spreadsheet, or as one JSON object a line (jsonl). All that the options choose, however many. In csv a text that a
spreadsheet would take for a formula has an apostrophe in front.`,
  args: [{ name: "FILE", takes: "optional", help: "the new file; stdout without", completes: "file" }],
  options: [
    { name: "format", value: "FORMAT", help: "csv or jsonl; csv by default", completes: FORMATS },
    ...FILTER_OPTIONS,
    { name: "limit", value: "NUMBER", help: "at most so many of the newest" },
  ],
  examples: [
    { line: "handler calls export calls.csv --since 30d", does: "a month for a spreadsheet" },
    { line: "handler calls export --format jsonl --failed | jq .detail", does: "what went wrong" },
  ],
  async run(context) {
    const { parsed, daemon, terminal, cwd } = context;
    const asked = parsed.value("format") ?? "csv";
    const format = FORMATS.find((one) => one === asked);
    if (!format) {
      throw usage(parsed.command, `--format is ${FORMATS.join(" or ")}, found ${JSON.stringify(asked)}`);
    }
    const query = callFilters(
      context,
      limitOf(context, String(Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER),
    );
    const file = parsed.optionalArg("FILE");
    using interrupt = interruptible();
    const parts = daemon.callsExport(query, format, interrupt.signal);
    if (file === undefined) {
      for await (const part of parts) terminal.out(part);
      return EXIT.done;
    }
    const path = resolve(cwd, file);
    await createFile(path, encoded(parts));
    terminal.out(`${path}\n`);
    return EXIT.done;
  },
};

async function* encoded(parts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) yield utf8(part);
}
