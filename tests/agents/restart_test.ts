import assert from "node:assert/strict";
import { utf8 } from "../../src/base/mod.ts";
import type { DriverName } from "../../src/sandbox/mod.ts";
import { isAlive, run } from "../../src/platform/mod.ts";
import { GREETED, logOf, logUntil, makeHome, shellAgent, startDaemon } from "./support.ts";

const PROGRAM = new URL("daemon_program.ts", import.meta.url).pathname;

/** Starts a daemon as a process of its own, lets it run an agent, kills it with SIGKILL. */
async function startAndKill(
  home: string,
  driver: DriverName,
  meanwhile: () => Promise<void>,
): Promise<string> {
  const daemon = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", PROGRAM, home, "clerk", driver],
    stdout: "piped",
  }).spawn();
  const reader = daemon.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await reader.read();
  await meanwhile();
  daemon.kill("SIGKILL");
  await daemon.status;
  await reader.cancel();
  return value!.trim();
}

async function appears(path: string): Promise<void> {
  while (await Deno.stat(path).then(() => false, () => true)) {
    await new Promise((done) => setTimeout(done, 10));
  }
}

async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((done) => setTimeout(done, 10));
}

/** Waits until what a handle of a driver names has ended. */
async function isOver(driver: DriverName, handle: string): Promise<void> {
  if (driver === "bubblewrap") return await gone(Number.parseInt(handle));
  await run(["podman", "wait", handle], { inheritEnv: true });
}

async function inKilledHome(
  script: string,
  work: (home: string) => Promise<void>,
  driver: DriverName = "bubblewrap",
): Promise<void> {
  const home = await makeHome({ clerk: shellAgent(script) });
  try {
    await work(home);
  } finally {
    const daemon = await startDaemon(home);
    await daemon.sandboxes.driver(driver).reap([]);
    await daemon.close();
    await Deno.remove(home, { recursive: true });
  }
}

for (const driver of ["bubblewrap", "podman"] as const) {
  Deno.test(`${driver}: a session goes on when its daemon is killed, and the next daemon takes all of it over`, async () => {
    const script =
      `${GREETED}; touch up; while read line; do echo got $line; [ "$line" = call ] && ${GREETED}; ` +
      `[ "$line" = end ] && exit 7; done`;
    await inKilledHome(script, async (home) => {
      const id = await startAndKill(home, driver, () => appears(`${home}/work/up`));
      const daemon = await startDaemon(home, driver);
      const { agents } = daemon;
      assert.equal(await daemon.sandboxes.driver(driver).reap(agents.handlesToKeep()), 0);
      assert.equal(await agents.resume(), 1);
      assert.equal(agents.get(id).state, "running");
      await agents.write(id, utf8("call\n"));
      await logUntil(agents, id, "got call\nagent:clerk");
      await agents.write(id, utf8("end\n"));
      const greeting = `agent:clerk ${id} scans\n`;
      assert.equal(await logOf(agents, id), `${greeting}got call\n${greeting}got end\n`);
      const ended = await agents.wait(id);
      assert.deepEqual([ended.state, ended.exitCode], ["exited", 7]);
      await daemon.close();
    }, driver);
  });
}

Deno.test("an orderly stop leaves a session alone too; what it prints meanwhile is in the log later", async () => {
  await inKilledHome("echo one; read line; echo $line; sleep 1000", async (home) => {
    const first = await startDaemon(home);
    const { id } = await first.agents.run("clerk", {});
    await logUntil(first.agents, id, "one");
    await first.close();
    await Deno.writeTextFile(`${first.folders.runtime}/s/${id.slice(-11)}/stdin`, "between\n", {
      create: false,
    });
    const second = await startDaemon(home);
    assert.equal(await second.agents.resume(), 1);
    assert.match(await logUntil(second.agents, id, "between"), /^one\nbetween\n$/);
    assert.equal((await second.agents.stop(id)).state, "stopped");
    assert.equal(await second.agents.resume(), 0);
    await second.close();
  });
});

for (const driver of ["bubblewrap", "podman"] as const) {
  Deno.test(`${driver}: a session that ended while no daemon ran has its exit code, its time and its whole log`, async () => {
    const script = "touch up; sleep 0.5; echo last words; touch over; exit 4";
    await inKilledHome(script, async (home) => {
      const id = await startAndKill(home, driver, () => appears(`${home}/work/up`));
      await appears(`${home}/work/over`);
      const daemon = await startDaemon(home, driver);
      const { sandboxes, agents } = daemon;
      await isOver(driver, agents.handlesToKeep()[0]!);
      await sandboxes.driver(driver).reap(agents.handlesToKeep());
      const before = Date.now();
      assert.equal(await agents.resume(), 0);
      const session = agents.get(id);
      assert.deepEqual([session.state, session.exitCode, session.reason], ["exited", 4, null]);
      assert.ok(session.startedAt <= session.endedAt! && session.endedAt! < before);
      assert.equal(await logOf(agents, id), "last words\n");
      assert.deepEqual([...Deno.readDirSync(`${daemon.folders.runtime}/s`)], []);
      assert.deepEqual([...Deno.readDirSync(`${daemon.folders.runtime}/box`)], []);
      await daemon.close();
    }, driver);
  });
}

Deno.test("a session that left no word is lost, with its whole log", async () => {
  await inKilledHome("touch up; echo last words; sleep 1000", async (home) => {
    const id = await startAndKill(home, "bubblewrap", () => appears(`${home}/work/up`));
    const daemon = await startDaemon(home);
    const pid = Number.parseInt(daemon.agents.handlesToKeep()[0]!);
    Deno.kill(pid, "SIGKILL");
    await gone(pid);
    assert.equal(await daemon.agents.resume(), 0);
    const session = daemon.agents.get(id);
    assert.deepEqual([session.state, session.exitCode], ["lost", null]);
    assert.equal(await logOf(daemon.agents, id), "last words\n");
    await daemon.close();
  });
});

Deno.test("what was starting when the daemon was killed is lost, and its sandbox is reaped", async () => {
  await inKilledHome("sleep 1000", async (home) => {
    const first = await startDaemon(home);
    const { id } = await first.agents.run("clerk", {});
    await first.agents.close();
    first.store.sessions.update(id, { state: "starting", handle: null, driver: null, sandbox: null });
    first.store.close();
    const second = await startDaemon(home);
    assert.equal(await second.sandboxes.driver("bubblewrap").reap(second.agents.handlesToKeep()), 1);
    assert.equal(await second.agents.resume(), 0);
    assert.equal(second.agents.get(id).state, "lost");
    await second.close();
  });
});

Deno.test("an external agent's sockets are at the same place after a restart, in the same session", async () => {
  const home = await makeHome({ desk: 'harness = "external"\nservices = { ocr = "scans" }' });
  const first = await startDaemon(home);
  const before = await first.agents.external("desk");
  await first.close();
  assert.deepEqual([...Deno.readDirSync(before.folder)], []);
  const second = await startDaemon(home);
  assert.equal(await second.agents.resume(), 1);
  assert.deepEqual([...Deno.readDirSync(before.folder)].map(({ name }) => name), ["ocr.sock"]);
  assert.equal((await second.agents.external("desk")).session.id, before.session.id);
  await second.close();
  await Deno.remove(home, { recursive: true });
});
