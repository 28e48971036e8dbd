import assert from "node:assert/strict";
import process from "node:process";
import { deferred, TestClock, utf8 } from "../base/mod.ts";
import { LogTail, type RunningParts, runningSandbox, saysOutOfMemory } from "./running.ts";

/** A sandbox whose process a test ends by hand. */
function fake(given: Partial<RunningParts> = {}) {
  const ended = deferred<number>();
  const did: string[] = [];
  const clock = new TestClock();
  const sandbox = runningSandbox({
    name: "a",
    driver: "deno",
    handle: "1:1",
    ended: ended.promise,
    root: () => Promise.resolve(undefined),
    ask: () => Promise.resolve(void did.push("ask")),
    kill: () => Promise.resolve(void did.push("kill")),
    outOfMemory: () => Promise.resolve(false),
    release: () => Promise.resolve(void did.push("release")),
    log: () => "",
    clock,
    ...given,
  });
  return { sandbox, ended, did, clock };
}

Deno.test("it is asked first and killed when the grace is over", async () => {
  const { sandbox, ended, did, clock } = fake();
  const stopped = sandbox.stop(1000);
  await Promise.resolve();
  clock.tick(999);
  assert.deepEqual(did, ["ask"]);
  clock.tick(1);
  assert.deepEqual(did, ["ask", "kill"]);
  ended.resolve(137);
  assert.deepEqual(await stopped, { code: 137, reason: "stopped" });
  assert.deepEqual(did, ["ask", "kill", "release"]);
});

Deno.test("the first reason counts, and what it held is freed once", async () => {
  const { sandbox, ended, did, clock } = fake({ timeoutMs: 50 });
  clock.tick(50);
  const stopped = sandbox.stop(0);
  ended.resolve(137);
  assert.equal((await stopped).reason, "time");
  assert.equal((await sandbox.exited).reason, "time");
  assert.equal(did.filter((word) => word === "release").length, 1);
});

Deno.test("killed without a grace, it is killed once, and that is waited for", async () => {
  const killed = deferred<void>();
  const did: string[] = [];
  const kill = () => (did.push("kill"), killed.promise);
  const { sandbox, ended, clock } = fake({ kill });
  const stopped = sandbox.stop(0).then(() => did.push("stopped"));
  ended.resolve(137);
  await Promise.resolve();
  clock.tick(1000);
  assert.deepEqual(did, ["kill"]);
  killed.resolve();
  await stopped;
  assert.deepEqual(did, ["kill", "stopped"]);
});

Deno.test("an end by itself, for want of memory, or unseen, is told apart", async () => {
  for (
    const [code, outOfMemory, reason] of [[0, false, "exited"], [137, true, "memory"], [
      -1,
      false,
      "lost",
    ]] as const
  ) {
    const { sandbox, ended } = fake({ outOfMemory: () => Promise.resolve(outOfMemory) });
    ended.resolve(code);
    assert.deepEqual(await sandbox.exited, { code, reason });
  }
});

Deno.test("only the end of a long output is kept", () => {
  const tail = new LogTail();
  for (let n = 0; n < 3000; n++) tail.add(utf8(`${String(n).padStart(99)}\n`));
  const text = tail.text();
  assert.equal(text.length, LogTail.LIMIT);
  assert.ok(text.endsWith(" 2999\n"));
});

Deno.test("V8's last words about memory are understood", () => {
  assert.equal(saysOutOfMemory(133, "# Fatal JavaScript out of memory: Reached heap limit"), true);
  assert.equal(saysOutOfMemory(1, "I print: JavaScript heap out of memory"), false);
  assert.equal(saysOutOfMemory(137, ""), false);
});

Deno.test("its processor time is that of its first process and all below it, and unknown where there is none", async () => {
  assert.equal(await fake().sandbox.cpuMs(), undefined);
  const { sandbox } = fake({ root: () => Promise.resolve(Deno.pid) });
  if (Deno.build.os !== "linux") return assert.equal(await sandbox.cpuMs(), undefined);
  const before = await sandbox.cpuMs();
  assert.ok(before !== undefined);
  const { user, system } = process.cpuUsage();
  for (let used = 0; used < 100_000;) {
    const now = process.cpuUsage();
    used = now.user + now.system - user - system;
  }
  assert.ok(await sandbox.cpuMs() as number - before >= 50);
});
