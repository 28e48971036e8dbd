import { join, resolve } from "node:path";
import { HandlerError } from "../../../base/mod.ts";
import { ensureFolder, statIfThere, writeAtomic } from "../../../platform/mod.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler interface stub` */
export const interfaceStub: Command = {
  words: ["interface", "stub"],
  summary: "begin a connector: write its skeleton",
  description:
    `Writes a folder with a connector's manifest and a typed skeleton of its code for an interface. The folder
is named like the connector and lies where --into says, in the person's own folder of connectors by default. Nothing
that is there is written over.`,
  args: [
    { name: "INTERFACE", takes: "one", help: "such as ocr/v1", completes: "interface" },
    { name: "NAME", takes: "one", help: "the new connector's name" },
  ],
  options: [
    { name: "into", value: "FOLDER", help: "where its folder is made", completes: "folder" },
    JSON_OPTION,
  ],
  examples: [{ line: "handler interface stub ocr/v1 ocr-mine", does: "a connector ocr-mine for ocr/v1" }],
  async run({ daemon, output, parsed, folders, cwd }) {
    const [id, name] = [parsed.arg("INTERFACE"), parsed.arg("NAME")];
    const into = parsed.value("into");
    const folder = resolve(into === undefined ? `${folders.data}/connectors` : resolve(cwd, into), name);
    const files = await daemon.interfaceStub(id, name);
    if (await statIfThere(folder)) throw new HandlerError("conflict", `${folder} is there already`);
    const written = await writeAll(folder, files);
    output.data({ folder, files: written }, () => written.map((path) => path + "\n").join(""));
    output.next(into === undefined ? `write the code, then handler trust ${name}` : "write the code");
    return EXIT.done;
  },
};

async function writeAll(folder: string, files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const paths = Object.keys(files).sort();
  for (const path of paths) {
    const place = join(folder, path);
    await ensureFolder(join(place, ".."));
    await writeAtomic(place, files[path] ?? "", 0o644);
  }
  return paths.map((path) => join(folder, path));
}
