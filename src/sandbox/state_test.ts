import assert from "node:assert/strict";
import { processMark } from "../platform/mod.ts";
import { processHandle, signalStarted, StartedProcesses, stillRuns } from "./state.ts";

const limits = { memoryBytes: 1, pids: 1 };
const base = { name: "a", driver: "bubblewrap", groups: [], outlivesDaemon: true, limits };

Deno.test("a process that got the id of an ended one is not taken for it, and not touched", async () => {
  const child = new Deno.Command("sleep", { args: ["30"] }).spawn();
  const mark = await processMark(child.pid);
  assert.ok(mark);
  assert.equal(await stillRuns({ pid: child.pid, mark }), true);
  assert.equal(await stillRuns({ pid: child.pid, mark: "0" }), false);
  await signalStarted({ pid: child.pid, mark: "0" }, "SIGKILL");
  assert.equal(await stillRuns({ pid: child.pid, mark }), true);
  await signalStarted({ pid: child.pid, mark }, "SIGKILL");
  assert.equal((await child.status).signal, "SIGKILL");
  assert.equal(await stillRuns({ pid: child.pid, mark }), false);
});

Deno.test("what was started is remembered for each driver until it is forgotten; a broken file is dropped", async () => {
  const folder = await Deno.makeTempDir();
  const started = new StartedProcesses({ folder });
  const one = { ...base, pid: 7, mark: "1" };
  await started.remember(one);
  await started.remember({ ...one, driver: "deno" });
  await Deno.writeTextFile(`${folder}/bubblewrap.b.json`, "{ half");
  assert.deepEqual(await started.list("bubblewrap"), [one]);
  assert.equal(processHandle(one), "7:1");
  await started.forget(one);
  assert.deepEqual(await started.list("bubblewrap"), []);
  assert.equal((await started.list("deno")).length, 1);
  await Deno.remove(folder, { recursive: true });
});
