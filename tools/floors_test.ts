import assert from "node:assert/strict";
import { ARROWS, FLOORS, judgeImport, moduleOf, ONLY, resolveImport } from "./floors.ts";

Deno.test("a module is named by its folder", () => {
  assert.equal(moduleOf("src/wire/mcp/codec.ts"), "wire");
  assert.equal(moduleOf("src/main.ts"), undefined);
  assert.equal(moduleOf("tests/src/wire/x.ts"), undefined);
});

Deno.test("imports resolve to files of the repository, packages to nothing", () => {
  assert.equal(resolveImport("src/wire/mcp/codec.ts", "../../base/mod.ts"), "src/base/mod.ts");
  assert.equal(resolveImport("src/wire/a.ts", "@handler/connector"), "src/guest/kit/mod.ts");
  assert.equal(resolveImport("src/wire/a.ts", "hono"), undefined);
});

Deno.test("lower floors are open, neighbours and higher ones are not", () => {
  assert.equal(judgeImport("src/store/a.ts", "../platform/mod.ts"), undefined);
  assert.equal(judgeImport("src/store/a.ts", "./b.ts"), undefined);
  assert.match(judgeImport("src/store/a.ts", "../config/mod.ts") ?? "", /floor 2.*floor 2/);
  assert.match(judgeImport("src/store/a.ts", "../daemon/mod.ts") ?? "", /floor 7/);
  assert.equal(judgeImport("src/automations/a.ts", "../agents/mod.ts"), undefined);
  assert.match(judgeImport("src/agents/a.ts", "../automations/mod.ts") ?? "", /floor 4/);
});

Deno.test("some modules may import a few alone", () => {
  assert.match(judgeImport("src/cli/a.ts", "../services/mod.ts") ?? "", /alone, not services/);
  assert.match(judgeImport("src/guest/a.ts", "../platform/mod.ts") ?? "", /alone, not platform/);
  assert.match(judgeImport("src/gateway/a.ts", "../services/mod.ts") ?? "", /alone/);
  assert.match(judgeImport("src/daemon/a.ts", "../guest/mod.ts") ?? "", /beside the floors/);
  assert.match(judgeImport("src/novel/a.ts", "../base/mod.ts") ?? "", /has no floor/);
});

Deno.test("the client takes types of the API, and nothing that runs", () => {
  assert.equal(judgeImport("src/client/a.ts", "../api/mod.ts", true), undefined);
  assert.match(judgeImport("src/client/a.ts", "../api/mod.ts", false) ?? "", /alone, not api/);
  assert.match(judgeImport("src/cli/a.ts", "../api/mod.ts", true) ?? "", /alone, not api/);
});

Deno.test("nothing but a test imports what is outside src/", () => {
  assert.match(judgeImport("src/cli/a.ts", "../../tests/helper.ts") ?? "", /tests\//);
  assert.equal(judgeImport("src/cli/a_test.ts", "../../tests/helper.ts"), undefined);
  assert.match(judgeImport("src/cli/a_test.ts", "../store/calls.ts") ?? "", /mod\.ts/);
});

Deno.test("every name in the table is a module with a floor", () => {
  const named = [...Object.values(ONLY).flat(), ...ARROWS.flat()];
  for (const name of named) assert.ok(name in FLOORS, name);
});

Deno.test("what tests share is for tests", () => {
  assert.match(judgeImport("src/api/a.ts", "./testing.ts") ?? "", /for tests/);
  assert.equal(judgeImport("src/api/a_test.ts", "./testing.ts"), undefined);
  assert.equal(judgeImport("src/api/testing.ts", "../../tests/helper.ts"), undefined);
});
