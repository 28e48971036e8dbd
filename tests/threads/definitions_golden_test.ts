import assert from "node:assert/strict";
import type { DefinitionProblem } from "../../src/wire/mod.ts";
import { type Files, load, withProject } from "./project_support.ts";

// Each `.txtar` holds the files of a project, what `_common.txtar` has coming to them; its problems stand beside it
// in a `.txt`. After a change that is meant: UPDATE_GOLDEN=1 deno test -A tests/threads/definitions_golden_test.ts,
// then read the difference.

const GOLDEN = new URL("../golden/threads/", import.meta.url).pathname;

/** `-- agents/tools/a.ts --` and then the file, for each. */
function filesOf(name: string): Files {
  const [, ...parts] = Deno.readTextFileSync(GOLDEN + name).split(/^-- (\S+) --\n/m);
  const files: Record<string, string> = {};
  for (let at = 0; at < parts.length; at += 2) files[parts[at] ?? ""] = parts[at + 1] ?? "";
  return files;
}

function shown(problems: readonly DefinitionProblem[]): string {
  return problems.map(({ file, line, column, path, message, severity }) => {
    const place = [file, line, column].filter((part) => part !== undefined).join(":");
    return `${severity}: ${place}: ${path === "" ? "" : `${path}: `}${message}\n`;
  }).join("");
}

const NAMES = [...Deno.readDirSync(GOLDEN)].map(({ name }) => name)
  .filter((name) => name.endsWith(".txtar")).sort();

Deno.test("golden definitions", async (test) => {
  const common = filesOf("_common.txtar");
  const projects = NAMES.flatMap((name) =>
    Object.entries({ ...common, ...filesOf(name) }).map(([path, text]) => [`${name}/${path}`, text])
  );
  await withProject(Object.fromEntries(projects), async (folder) => {
    const loaded = await load(...NAMES.map((name) => `${folder}/${name}`));
    for (const [index, name] of NAMES.entries()) {
      await test.step(name, () => {
        const found = shown(loaded[index]!.problems);
        const expected = GOLDEN + name.replace(/txtar$/, "txt");
        if (Deno.env.get("UPDATE_GOLDEN")) Deno.writeTextFileSync(expected, found);
        assert.equal(found, Deno.readTextFileSync(expected));
        assert.equal(found === "", name === "_common.txtar");
      });
    }
  });
});
