import assert from "node:assert/strict";
import type { JobRequest } from "../api/mod.ts";
import { HandlerError, type Json, TestClock } from "../base/mod.ts";
import { Jobs } from "./jobs.ts";

const DEPLOY: JobRequest = { kind: "deploy", app: "notes", hash: "h" };

function made() {
  const clock = new TestClock();
  const told: string[] = [];
  const runs: { progress: (step: Json) => void; end: (result: Json) => void; fail: (e: unknown) => void }[] =
    [];
  const jobs = new Jobs({
    clock,
    changed: (id) => told.push(id),
    run: (_, progress) =>
      new Promise<Json>((end, fail) => {
        runs.push({ progress, end, fail });
      }),
  });
  const settle = () => new Promise((go) => setTimeout(go, 0));
  return { clock, told, runs, jobs, settle };
}

Deno.test("a job tells its steps and its result to whoever asks", async () => {
  const { clock, told, runs, jobs, settle } = made();
  const { id, state } = jobs.start(DEPLOY);
  assert.equal(state, "running");
  runs[0]!.progress({ step: "test" });
  clock.tick(1000);
  runs[0]!.end({ deployed: true });
  await settle();
  const view = jobs.get(id);
  assert.deepEqual([view.state, view.progress, view.result], ["done", [{ step: "test" }], {
    deployed: true,
  }]);
  assert.equal(view.endedAt! - view.startedAt, 1000);
  assert.equal(told.length, 3);
});

Deno.test("what a job could not do is its error", async () => {
  const { runs, jobs, settle } = made();
  const { id } = jobs.start(DEPLOY);
  runs[0]!.fail(new HandlerError("conflict", "the app is being removed", { hint: "wait" }));
  await settle();
  const { state, error } = jobs.get(id);
  assert.deepEqual([state, error?.kind, error?.hint], ["failed", "conflict", "wait"]);
});

Deno.test("the same work is not begun twice at once; other work is", async () => {
  const { runs, jobs, settle } = made();
  jobs.start(DEPLOY);
  assert.throws(() => jobs.start({ ...DEPLOY, hash: "other" }), /the deploy of the app notes is under way/);
  jobs.start({ ...DEPLOY, app: "other" });
  runs[0]!.end(null);
  await settle();
  jobs.start(DEPLOY);
  assert.equal(jobs.list().length, 3);
});

Deno.test("what a job told is bounded, the end of it stays", () => {
  const { runs, jobs } = made();
  const { id } = jobs.start(DEPLOY);
  for (let i = 0; i < 5000; i++) runs[0]!.progress(`${i} ${"x".repeat(100_000)}`);
  const { progress } = jobs.get(id);
  assert.equal(progress.length, 1000);
  assert.match(String(progress.at(-1)), /^4999 x/);
  assert.ok(String(progress[0]).length <= 20_000);
});

Deno.test("jobs that have ended are forgotten after an hour, or where there are more than a hundred", async () => {
  const { clock, runs, jobs, settle } = made();
  for (let i = 0; i < 150; i++) {
    jobs.start({ ...DEPLOY, app: `a${i}` });
    runs[i]!.end(null);
    await settle();
  }
  jobs.start({ ...DEPLOY, app: "runs on" });
  assert.equal(jobs.list().length, 101);
  clock.tick(3_600_001);
  assert.deepEqual(jobs.list().map(({ request }) => request.kind === "deploy" && request.app), ["runs on"]);
});
