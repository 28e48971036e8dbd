import assert from "node:assert/strict";
import type { Apps } from "./mod.ts";
import { deferred, delay, HandlerError, TestClock } from "../base/mod.ts";
import { requestUnix } from "../platform/mod.ts";
import { appHome } from "../../tests/fakes/app_home.ts";
import type { FakeSandbox, FakeSandboxes } from "../../tests/fakes/app_sandbox.ts";

const forever = new AbortController().signal;

async function call(apps: Apps, name = "small"): Promise<number> {
  using backend = await apps.acquire(name, forever);
  return await requestUnix(backend.socket, "GET", "/api/health", 5_000);
}

function only({ running }: FakeSandboxes): FakeSandbox {
  assert.equal(running.size, 1);
  return [...running][0]!;
}

/** Until what was set going by a timer of the test's clock is over. */
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 1_000) throw new Error("it did not come to hold");
    await delay(2);
  }
}

Deno.test("fifty first calls make one start", async () => {
  await using home = await appHome({ boot: () => delay(30) });
  await home.install({ name: "small" });
  const before = home.sandboxes.starts;
  const answers = await Promise.all(Array.from({ length: 50 }, () => call(home.apps)));
  assert.deepEqual(new Set(answers), new Set([200]));
  assert.equal(home.sandboxes.starts, before + 1);
});

Deno.test("the idle timer ends a backend that nobody called for a while, never one with a call", async () => {
  const clock = new TestClock();
  await using home = await appHome({}, { clock, idleMs: () => 1_000 });
  await home.install({ name: "small" });
  const held = await home.apps.acquire("small", forever);
  await call(home.apps);
  clock.tick(5_000);
  assert.equal(home.apps.state("small"), "running");
  held[Symbol.dispose]();
  held[Symbol.dispose]();
  clock.tick(999);
  assert.equal(home.apps.state("small"), "running");
  await call(home.apps);
  clock.tick(999);
  assert.equal(home.apps.state("small"), "running", "a call begins the time anew");
  clock.tick(1);
  await until(() => home.sandboxes.running.size === 0);
  assert.equal(home.apps.state("small"), "stopped");
  assert.equal(await call(home.apps), 200, "a window open for hours works again");
});

Deno.test("a start that nobody waits for any more is ended by the idle timer too", async () => {
  const clock = new TestClock();
  const gate = deferred<void>();
  let boots = 0;
  await using home = await appHome({ boot: () => ++boots > 1 ? gate.promise : undefined }, {
    clock,
    idleMs: () => 1_000,
  });
  await home.install({ name: "small" });
  const gone = new AbortController();
  const waiting = home.apps.acquire("small", gone.signal);
  gone.abort(new HandlerError("cancelled", "gone"));
  await assert.rejects(waiting, /gone/);
  gate.resolve();
  await until(() => home.apps.state("small") === "running");
  clock.tick(1_000);
  await until(() => home.sandboxes.running.size === 0);
});

Deno.test("a backend that still ends holds back the next start and the deploy", async () => {
  const clock = new TestClock();
  await using home = await appHome({}, { clock, idleMs: () => 1_000 });
  await home.install({ name: "small" });
  await call(home.apps);
  const old = only(home.sandboxes);
  const gate = deferred<void>();
  old.ending = gate.promise;
  clock.tick(1_000);
  const before = home.sandboxes.starts;
  const next = call(home.apps);
  const deploy = home.deploy("small");
  await delay(30);
  assert.equal(home.sandboxes.starts, before, "two backends never have one data folder");
  gate.resolve();
  assert.equal(await next, 200);
  await deploy;
});

Deno.test("calls wait while a deploy works; one that gives up upsets nothing", async () => {
  await using home = await appHome({ boot: () => delay(20) });
  await home.install({ name: "small" });
  const inFlight = await home.apps.acquire("small", forever);
  const tested = deferred<void>();
  const deploy = home.apps.deploy("small", (await home.apps.plan("small")).hash, ({ step, state }) => {
    if (step === "test" && state === "done") tested.resolve();
  });
  await tested.promise;
  await delay(20);
  const gone = new AbortController();
  const given = home.apps.acquire("small", gone.signal);
  const waiting = Promise.all(Array.from({ length: 5 }, () => call(home.apps)));
  gone.abort(new HandlerError("cancelled", "gone"));
  await assert.rejects(given, /gone/);
  assert.equal(home.sandboxes.running.size, 1, "the deploy waits for the call under way");
  inFlight[Symbol.dispose]();
  await deploy;
  assert.deepEqual(await waiting, [200, 200, 200, 200, 200]);
});

Deno.test("a deploy ends streams at once, and requests that take too long after a while", async () => {
  const clock = new TestClock();
  await using home = await appHome({}, { clock });
  await home.install({ name: "small" });
  const stream = await home.apps.acquire("small", forever);
  stream.asStream();
  await home.deploy("small");
  stream[Symbol.dispose]();
  const slow = await home.apps.acquire("small", forever);
  let done = false;
  const deploy = home.deploy("small").then(() => done = true);
  await delay(50);
  assert.equal(done, false);
  clock.tick(10_000);
  await deploy;
  slow[Symbol.dispose]();
  assert.equal(await call(home.apps), 200);
});

Deno.test("a backend that crashes at its start is backed off, with the last lines of its log", async () => {
  const clock = new TestClock();
  let broken = false;
  const boot = () => {
    if (broken) throw new Error("out of paper");
  };
  await using home = await appHome({ boot }, { clock });
  await home.install({ name: "small" });
  broken = true;
  const refused = async () => {
    const error = await call(home.apps).catch((error) => error);
    assert.ok(error instanceof HandlerError);
    assert.match(error.hint ?? "", /out of paper/);
    return error.message;
  };
  assert.match(await refused(), /does not come up: it ended with 1/);
  assert.match(await refused(), /does not come up/, "one crash is no loop");
  const starts = home.sandboxes.starts;
  assert.match(await refused(), /the next start is tried in 2 s/);
  assert.equal(home.sandboxes.starts, starts);
  assert.equal(home.apps.state("small"), "failing");
  clock.tick(2_000);
  await refused();
  assert.match(await refused(), /in 4 s/);
  broken = false;
  clock.tick(4_000);
  assert.match(home.apps.failure("small")?.message ?? "", /does not come up/);
  assert.equal(await call(home.apps), 200);
  assert.equal(home.apps.failure("small"), undefined);
});

Deno.test("one that ends soon after its start counts as crashed, one that ran for a while does not", async () => {
  const clock = new TestClock();
  await using home = await appHome({}, { clock });
  await home.install({ name: "small" });
  for (let time = 0; time < 2; time++) {
    await call(home.apps);
    only(home.sandboxes).print("no more ink\n");
    await only(home.sandboxes).crash();
    await until(() => home.apps.state("small") !== "running");
  }
  const error = await call(home.apps).catch((error) => error);
  assert.match(error.message, /ended soon after its start with 1 \(exited\); the next start is tried in 2 s/);
  assert.match(error.hint, /no more ink/);
  clock.tick(2_000);
  await call(home.apps);
  clock.tick(60_000);
  await only(home.sandboxes).crash();
  await until(() => home.apps.state("small") === "stopped");
  assert.equal(await call(home.apps), 200);
});

Deno.test("a socket that was replaced is not used: the backend is started anew", async () => {
  await using home = await appHome();
  await home.install({ name: "small" });
  await home.install({ name: "other" });
  await call(home.apps, "other");
  const other = only(home.sandboxes);
  const replacing = [
    (socket: string) => Deno.symlink(other.socket, socket),
    (socket: string) => Deno.writeTextFile(socket, ""),
    () => Promise.resolve(),
  ];
  for (const replace of replacing) {
    using backend = await home.apps.acquire("small", forever);
    const own = [...home.sandboxes.running].find((sandbox) => sandbox !== other)!;
    await Deno.rename(own.socket, `${own.socket}.away`);
    await replace(own.socket);
    const before = home.sandboxes.starts;
    using next = await home.apps.acquire("small", forever);
    assert.notEqual(next.socket, backend.socket, "the old one is pinned while a call has it");
    assert.equal(home.sandboxes.starts, before + 1);
    assert.equal(await call(home.apps), 200);
  }
});

Deno.test("a backend that prints without end does not fill the disk", async () => {
  const clock = new TestClock();
  await using home = await appHome({}, { clock });
  await home.install({ name: "small" });
  await call(home.apps);
  const log = `${home.folders.data}/apps/small/app.log`;
  for (let time = 0; time < 3; time++) {
    only(home.sandboxes).print("x".repeat(17 * 1024 * 1024) + `last ${time}\n`);
    await until(() => {
      clock.tick(2_000);
      return Deno.statSync(log).size === 1024 * 1024;
    });
    assert.ok(new TextDecoder().decode(home.apps.log("small")).endsWith(`last ${time}\n`));
  }
});

Deno.test("what is not deployed, and a daemon that stops, start nothing", async () => {
  await using home = await appHome();
  const source = await home.install({ name: "small" });
  await assert.rejects(home.apps.acquire("none", forever), /there is no app "none"/);
  await home.apps.remove("small", false);
  await home.apps.add(source);
  await assert.rejects(home.apps.acquire("small", forever), /the app small is not deployed/);
  await home.apps.close();
  await assert.rejects(home.apps.acquire("small", forever), /handlerd is stopping/);
});
