import assert from "node:assert/strict";
import { ratios } from "./ratio.ts";

Deno.test("lines are counted by module, and files without a test are named", () => {
  const found = ratios([
    ["src/base/mod.ts", 5],
    ["src/base/id.ts", 20],
    ["src/base/id_test.ts", 30],
    ["src/wire/frame.ts", 40],
    ["tests/cli/scripts_test.ts", 50],
    ["tests/cli/home.ts", 60],
  ]);
  assert.deepEqual(found, [
    { name: "base", files: 2, lines: 25, testLines: 30, untested: [] },
    { name: "tests", files: 0, lines: 0, testLines: 110, untested: [] },
    { name: "wire", files: 1, lines: 40, testLines: 0, untested: ["src/wire/frame.ts"] },
  ]);
});
