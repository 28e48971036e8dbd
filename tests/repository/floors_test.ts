import assert from "node:assert/strict";
import { isTest, judgeImport, moduleOf } from "../../tools/floors.ts";
import { importVisitor } from "../../tools/lint/imports.ts";
import { ROOT, sourceFiles } from "../../tools/repository.ts";

/** Every module that a file names, found by parsing it. */
function importsOf(path: string, text: string): (readonly [specifier: string, typeOnly: boolean])[] {
  const found: (readonly [string, boolean])[] = [];
  const rule: Deno.lint.Rule = {
    create: () => importVisitor((specifier, _, typeOnly) => found.push([specifier, typeOnly])),
  };
  Deno.lint.runPlugin({ name: "imports", rules: { imports: rule } }, path, text);
  return found;
}

Deno.test("every import under src/ goes down, through a door", async () => {
  const wrong: string[] = [];
  for (const path of await sourceFiles()) {
    if (!path.startsWith("src/")) continue;
    for (const [specifier, typeOnly] of importsOf(path, await Deno.readTextFile(`${ROOT}/${path}`))) {
      const why = judgeImport(path, specifier, typeOnly);
      if (why) wrong.push(`${path}: ${why}`);
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("imports are found in every form", () => {
  const text = `import a from "a"; import "b"; export * from "c"; export { d } from "d";
    const e = () => import("e"); type F = import("f").F; // import "g"
    const h = 'import "h"';`;
  assert.deepEqual(importsOf("src/x/y.ts", text).map(([name]) => name), ["a", "b", "c", "d", "e", "f"]);
  const types =
    `import type { A } from "a"; export type * from "b"; export type { C } from "c"; import { d } from "d";`;
  assert.deepEqual(importsOf("src/x/y.ts", types).map(([, typeOnly]) => typeOnly), [true, true, true, false]);
});

Deno.test("every module has a door", async () => {
  const paths = (await sourceFiles()).filter((path) => path.startsWith("src/"));
  const modules = new Set(paths.map(moduleOf).filter((name) => name !== undefined && name !== "guest"));
  assert.deepEqual([...modules].filter((name) => !paths.includes(`src/${name}/mod.ts`)), []);
});

Deno.test("no file turns a house rule off", async () => {
  const wrong: string[] = [];
  for (const path of await sourceFiles()) {
    if (path.startsWith("tools/lint/") || isTest(path)) continue;
    const text = await Deno.readTextFile(`${ROOT}/${path}`);
    if (/deno-lint-ignore(-file)?[^\n]*\bhandler\//.test(text)) wrong.push(path);
  }
  assert.deepEqual(wrong, []);
});
