import { resolve } from "node:path";
import { HandlerError, type Json } from "../../../base/mod.ts";
import type { CompareReport } from "../../../client/mod.ts";
import { readText, statIfThere } from "../../../platform/mod.ts";
import { type Command, type Context, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { plain } from "../../text.ts";
import { duration } from "../../time.ts";

/** `handler connector compare` */
export const connectorCompare: Command = {
  words: ["connector", "compare"],
  summary: "make one call with two bindings and show the difference",
  description:
    `Sends the same call to two bindings and shows how long each took, what each counted (pages, tokens), and where
the results differ. Files that the input names are read from the scope folder.`,
  args: [
    { name: "TOOL", takes: "one", help: "such as ocr_extract", completes: "tool" },
    { name: "BINDING", takes: "one", help: "the one", completes: "binding" },
    { name: "OTHER", takes: "one", help: "and the other", completes: "binding" },
  ],
  options: [
    { name: "input", value: "JSON", help: "the tool's input; - reads it from stdin" },
    { name: "input-file", value: "FILE", help: "the tool's input in a file", completes: "file" },
    {
      name: "scope",
      value: "FOLDER",
      help: "where its files are; this folder by default",
      completes: "folder",
    },
    JSON_OPTION,
  ],
  examples: [{
    line:
      `handler connector compare ocr_extract ocr-local ocr-mistral-perso --input '{"path":"invoice.pdf"}'`,
    does: "which of the two reads this invoice better",
  }],
  async run(context) {
    const { daemon, output, parsed, cwd } = context;
    const scope = resolve(cwd, parsed.value("scope") ?? ".");
    if (!(await statIfThere(scope))?.isDirectory) {
      throw new HandlerError("not_found", `the scope is a folder, and there is none at ${scope}`);
    }
    const report = await daemon.connectorCompare(
      parsed.arg("TOOL"),
      await inputOf(context),
      scope,
      [parsed.arg("BINDING"), parsed.arg("OTHER")],
    );
    const { schema: _, ...data } = report;
    output.data(data, () => text(report));
    return report.sides.some(({ error }) => error !== null) ? EXIT.failed : EXIT.done;
  },
};

async function inputOf({ parsed, cwd, terminal }: Context): Promise<Json> {
  const [inline, file] = [parsed.value("input"), parsed.value("input-file")];
  if ((inline === undefined) === (file === undefined)) {
    throw new HandlerError("usage", "one of --input and --input-file must give the input");
  }
  const text = file !== undefined
    ? await readText(resolve(cwd, file))
    : inline === "-"
    ? new TextDecoder().decode(await terminal.readStdin())
    : inline ?? "";
  try {
    return JSON.parse(text);
  } catch {
    throw new HandlerError("usage", "the input must be JSON and is not");
  }
}

function text({ sides, difference }: CompareReport): string {
  const lines = sides.map(({ binding, ms, units, error }) => {
    const counted = Object.entries(units).map(([name, number]) => `, ${number} ${name}`).join("");
    return `${binding}: ${duration(ms)}${counted}${error === null ? "" : `, failed: ${error}`}`;
  });
  const rest = difference.length === 0 ? ["the results are the same"] : difference;
  return plain([...lines, ...rest].map((line) => line + "\n").join(""));
}
