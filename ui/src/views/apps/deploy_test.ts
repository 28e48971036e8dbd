import assert from "node:assert/strict";
import type { JobView } from "$client";
import { lostRows, stepsOf } from "./deploy.ts";

function job(state: JobView["state"], ...told: readonly (readonly [string, string, number])[]): JobView {
  const progress = told.map(([step, state, ms]) => ({ step, state, ms, detail: "" }));
  return { startedAt: 1000, state, progress } as unknown as JobView;
}

Deno.test("steps are shown from the first on, each from when the one before ended", () => {
  const steps = stepsOf(job(
    "running",
    ["snapshot", "started", 0],
    ["snapshot", "done", 40],
    ["test", "started", 0],
  ));
  assert.deepEqual(steps.map(({ state, startedAt }) => [state, startedAt]), [
    ["done", 1000],
    ["running", 1040],
    ["waiting", null],
    ["waiting", null],
    ["waiting", null],
  ]);
});

Deno.test("after a step that failed no other comes", () => {
  const steps = stepsOf(job("done", ["snapshot", "done", 40], ["test", "failed", 900]));
  assert.deepEqual(steps.map(({ state }) => state), ["done", "failed", "skipped", "skipped", "skipped"]);
});

Deno.test("rows are lost where fewer come out than went in, all of them with their table", () => {
  assert.equal(lostRows({ table: "notes", before: 5, after: 3 }), 2);
  assert.equal(lostRows({ table: "notes", before: 5, after: null }), 5);
  assert.equal(lostRows({ table: "notes", before: null, after: 3 }), 0);
});
