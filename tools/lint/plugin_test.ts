import assert from "node:assert/strict";
import plugin from "./plugin.ts";

function findings(file: string, source: string): string[] {
  return Deno.lint.runPlugin(plugin, file, source).map((found) => found.id.replace("handler/", "")).sort();
}

Deno.test("only src/platform and src/guest speak to the runtime", () => {
  const source = `import { a } from "node:fs"; export const b = a; export type C = Deno.Conn;
    export function f() { Deno.exit(1); }`;
  assert.deepEqual(findings("src/store/x.ts", source), ["platform-only", "platform-only", "platform-only"]);
  for (const free of ["src/platform/x.ts", "src/guest/x.ts", "src/store/x_test.ts", "tools/x.ts"]) {
    assert.deepEqual(findings(free, source), [], free);
  }
  assert.deepEqual(findings("src/store/x.ts", `export { join } from "node:path";`), []);
});

Deno.test("imports go down, and through the door", () => {
  assert.deepEqual(findings("src/store/x.ts", `export * from "../base/mod.ts";`), []);
  assert.deepEqual(findings("src/store/x.ts", `export * from "../base/id.ts";`), ["floors"]);
  assert.deepEqual(findings("src/store/x.ts", `export const x = () => import("../api/mod.ts");`), ["floors"]);
  assert.deepEqual(findings("src/store/x.ts", `export type T = import("../api/mod.ts").T;`), ["floors"]);
});

Deno.test("a file that says too much, and a function", () => {
  const long = (lines: number) => "let a = 1;\n".repeat(lines);
  assert.deepEqual(findings("bench/x.ts", long(500)), []);
  assert.deepEqual(findings("bench/x.ts", long(501)), ["file-length"]);
  assert.deepEqual(findings("bench/x.ts", `export function f() {\n${long(78)}}`), []);
  assert.deepEqual(findings("bench/x.ts", `export const f = () => {\n${long(79)}};`), ["function-length"]);
});

Deno.test("what is left to do has an issue", () => {
  assert.deepEqual(findings("main.ts", "// TO" + "DO later\n"), ["todo-with-issue"]);
  assert.deepEqual(findings("main.ts", "/* FIX" + "ME (#12): later */\n"), []);
  assert.deepEqual(findings("main.ts", `export const word = "TO` + `DO";`), []);
});

Deno.test("no default exports and no console in src/", () => {
  assert.deepEqual(findings("src/api/x.ts", "export default 1;"), ["no-default-export"]);
  assert.deepEqual(findings("src/api/x.ts", "export const f = () => console.log(1);"), ["no-console"]);
  assert.deepEqual(findings("src/cli/x.ts", "export const f = () => console.log(1);"), []);
});

Deno.test("importing does no work", () => {
  for (
    const work of [
      "start();",
      "for (const a of b) a();",
      "export const a = await load();",
      "if (import.meta.main) run();",
    ]
  ) assert.deepEqual(findings("src/api/x.ts", work), ["no-import-work"], work);
  assert.deepEqual(findings("src/platform/x.ts", "export const a = Deno.readTextFileSync('x');"), [
    "no-import-work",
  ]);
  for (
    const fine of [
      "export const a = Deno.build.os;",
      "export const a = new Map([[1, 2]]);",
      "export const f = async () => await Deno.stat('x');",
      "export class A { b = Deno.pid; }",
    ]
  ) assert.deepEqual(findings("src/platform/x.ts", fine), [], fine);
});
