import assert from "node:assert/strict";
import { importProblem } from "./import_problem.ts";

const FOREIGN = "definitions import @standardagents/spec, zod and files of the project";

function told(message: string, options: { readonly code?: string; readonly stack?: string } = {}) {
  const error = Object.assign(new TypeError(message), { code: "ERR_MODULE_NOT_FOUND" }, options);
  const { file, line, column, message: text } = importProblem(error, "agents/tools/a.ts", "/home/me/desk");
  return [file, line, column, text];
}

const AT = "file:///home/me/desk/agents/tools/b.ts";

Deno.test("a file that cannot be parsed is told with its place, as either Deno says it", () => {
  const expected = ["agents/tools/b.ts", 2, 12, "it cannot be read: Expression expected"];
  const newer = `SyntaxError: Expression expected\n  |\n2 | let x = ;\n  |  ~\n    at ${AT}?v=3:2:12`;
  const older =
    `The module's source code could not be parsed: Expression expected at ${AT}?v=3:2:12\n\n  let x = ;`;
  assert.deepEqual(told(newer), expected);
  assert.deepEqual(told(older), expected);
});

Deno.test("an import that leads nowhere is told with what it names", () => {
  const at = `\n    at \u001b[0m\u001b[36m${AT}\u001b[0m:\u001b[33m1\u001b[0m:\u001b[33m15\u001b[0m`;
  const say = (message: string) => told(message + at).at(-1);
  assert.deepEqual(told(`Module not found "file:///home/me/desk/agents/tools/c.ts".${at}`), [
    "agents/tools/b.ts",
    1,
    15,
    "it imports agents/tools/c.ts, which is not there",
  ]);
  assert.equal(say(`Module not found "file:///etc/c.ts".`), "it imports /etc/c.ts, which is not there");
  assert.equal(say(`Import "lodash" not a dependency\n  hint: try it`), `it imports "lodash": ${FOREIGN}`);
  assert.equal(
    say(`A remote specifier was requested: "https://a.b/c.ts", but --no-remote is specified.`),
    `it imports "https://a.b/c.ts": ${FOREIGN}`,
  );
  assert.equal(
    say(`Failed loading https://registry/x for package "x"\n    0: npm package not found in cache: "x"`),
    `it imports "x": ${FOREIGN}`,
  );
});

Deno.test("what a file throws is told with the line of the project that threw", () => {
  const stack = `Error: no\n    at ext:core/x.js:1:2\n    at file:///elsewhere/y.ts:9:9\n    at ${AT}:4:7`;
  assert.deepEqual(told("no", { code: "", stack }), [
    "agents/tools/b.ts",
    4,
    7,
    "it fails when it is loaded: no",
  ]);
  const { file, line, message } = importProblem("a text", "agents/tools/a.ts", "/home/me/desk");
  assert.deepEqual([file, line, message], [
    "agents/tools/a.ts",
    undefined,
    "it fails when it is loaded: a text",
  ]);
});
