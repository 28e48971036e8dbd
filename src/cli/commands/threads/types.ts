import { dirname, join, resolve } from "node:path";
import { ensureFolder, writeAtomic } from "../../../platform/mod.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { oneOf } from "../../find.ts";

/** `handler threads types` */
export const threadsTypes: Command = {
  words: ["threads", "types"],
  summary: "write the type registry of a project",
  description:
    `Writes the names of a project's definitions as types into its folder, so that an editor or \`deno check\` finds a name
that is none: a handler that is not there, a tool that was renamed. Say it again after names have changed.`,
  args: [{ name: "PROJECT", takes: "one", help: "its name", completes: "project" }],
  options: [
    { name: "to", value: "FOLDER", help: "in place of the project's folder", completes: "folder" },
    JSON_OPTION,
  ],
  examples: [{ line: "handler threads types desk", does: "writes .agents/types.d.ts" }],
  async run({ daemon, output, parsed, cwd }) {
    const project = oneOf(await daemon.projects(), "project", parsed.arg("PROJECT"), ({ name }) => name);
    const to = parsed.value("to");
    const folder = to === undefined ? project.path : resolve(cwd, to);
    const files: string[] = [];
    const types = await daemon.threadsTypes(project.name);
    for (const { path, text } of types.files) {
      const file = join(folder, path);
      await ensureFolder(dirname(file), 0o755);
      await writeAtomic(file, text, 0o644);
      files.push(file);
    }
    output.data({ files, remarks: types.remarks }, () => files.map((file) => `${file}\n`).join(""));
    for (const remark of types.remarks) output.note(remark);
    return EXIT.done;
  },
};
