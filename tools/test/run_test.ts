import assert from "node:assert/strict";
import { runTests } from "./run.ts";

async function outcomeOf(source: string, limitMs?: number) {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/x_test.ts`, source);
    const test = { area: "made up", cwd: folder, paths: ["x_test.ts"], parallel: false };
    return await runTests(test, { filter: undefined, env: {} }, limitMs);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("each test counts, a leak is a failure", async () => {
  const outcome = await outcomeOf(`
    Deno.test("holds", () => {});
    Deno.test.ignore("waits", () => {});
    Deno.test("leaks", () => { Deno.openSync(Deno.execPath()); });`);
  assert.deepEqual(outcome, {
    passed: 1,
    failed: ["./x_test.ts: leaks"],
    skipped: ["./x_test.ts: waits"],
  });
});

Deno.test("a file that cannot be loaded is a failure, not nothing", async () => {
  const outcome = await outcomeOf(`import "./not_there.ts";`);
  assert.equal(outcome.passed, 0);
  assert.match(outcome.failed[0] ?? "", /made up: the run itself ended with 1/);
});

Deno.test("a run that takes too long counts what it did, and names what was still running", async () => {
  const outcome = await outcomeOf(
    `
    Deno.test("holds", () => {});
    Deno.test("spins", () => { for (;;); });`,
    8_000,
  );
  assert.deepEqual(outcome, { passed: 1, failed: ["./x_test.ts: spins"], skipped: [] });
});
