import assert from "node:assert/strict";
import type { DriverName } from "../../src/sandbox/mod.ts";
import type { SystemHome } from "../system/home.ts";
import { processes } from "../system/processes.ts";
import { until } from "../system/wait.ts";
import { addApp, deployApp, openApp, startDaemon } from "./daemon.ts";
import { CI, missingDriver } from "./drivers.ts";
import { layApp, notes } from "./small_app.ts";

// Every single change of the file system is tried in src/apps/crash_test.ts; here a real daemon is killed with real
// sandboxes under way.

const TEST = 'Deno.test("holds", () => {});';
const MIGRATION = "CREATE TABLE IF NOT EXISTS tags (tag TEXT)";
const STEPS = ["snapshot", "test", "backup", "rehearse", "switch"];
const POINTS = STEPS.flatMap((step) => [`${step} started`, `${step} done`]);

function onDriver(driver: DriverName, name: string, test: (home: SystemHome) => Promise<void>): void {
  const missing = missingDriver(driver);
  Deno.test({
    name: `${driver}: ${name}${missing ? ` (${missing})` : ""}`,
    ignore: missing !== undefined && !CI,
    async fn() {
      await using home = await startDaemon(driver);
      await test(home);
    },
  });
}

/** Deploys and kills the daemon when it says this. */
async function killAt(home: SystemHome, point: string): Promise<void> {
  await deployApp(home, "notes", ({ step, state }) => {
    if (`${step} ${state}` === point) Deno.kill(home.pid, "SIGKILL");
  }).then(() => assert.equal(point, "switch done"), () => {});
  await home.stop("SIGKILL");
}

/** The app answers as the one or the other version does, with all of its data, and handlerd names that version in what it said since. */
async function mustBeWhole(home: SystemHome, from: string, to: string, told = 0): Promise<string> {
  const { version } = await home.client.app("notes");
  assert.ok(version === from || version === to, `${version}`);
  const page = await openApp(home, "notes");
  assert.equal((await page.ask({})).text, `<p>${version}`);
  assert.deepEqual(JSON.parse((await page.ask({ path: "/api/notes" })).text), ["one"]);
  const said = (await home.output()).slice(told).match(
    /notes: a change of an earlier daemon's .*; version \S+ is installed/g,
  );
  if (said) assert.ok(said.at(-1)!.includes(`version ${version} `), said.at(-1));
  const left = await until("nothing but the app itself to run", async () => {
    const found = (await processes()).filter(({ argv }) => argv.includes(`${home.path}/data/apps`));
    return found.every(({ argv }) => !/scratch/.test(argv)) || undefined;
  });
  assert.ok(left);
  return version;
}

async function lay(home: SystemHome, version: string, server = notes()): Promise<void> {
  const page = { "index.html": `<p>${version}` };
  await layApp(`${home.path}/apps/notes`, { name: "notes", version, server, test: TEST, page });
}

async function killEverywhere(home: SystemHome, points: readonly string[]): Promise<void> {
  await addApp(home, { name: "notes" });
  await lay(home, "1.0.0");
  await deployApp(home, "notes");
  await (await openApp(home, "notes")).ask({ method: "POST", path: "/api/notes", body: "one" });
  let current = "1.0.0";
  for (const [at, point] of points.entries()) {
    const next = `${at + 2}.0.0`;
    await lay(home, next, notes(MIGRATION));
    await killAt(home, point);
    const told = (await home.output()).length;
    await home.start();
    const now = await mustBeWhole(home, current, next, told);
    if (!point.startsWith("switch")) assert.equal(now, current, point);
    if (point === "switch done") assert.equal(now, next);
    current = now;
  }
}

onDriver("bubblewrap", "a daemon killed at each step of a deploy", (home) => killEverywhere(home, POINTS));

onDriver(
  "podman",
  "a daemon killed while it tests, while it rehearses and when it has switched",
  (home) => killEverywhere(home, ["test started", "rehearse started", "switch done"]),
);

onDriver("bubblewrap", "a daemon killed in the middle of a roll-back finishes it", async (home) => {
  await addApp(home, { name: "notes" });
  for (const version of ["1.0.0", "2.0.0"]) {
    await lay(home, version);
    await deployApp(home, "notes");
    const page = await openApp(home, "notes");
    await page.ask({ method: "POST", path: "/api/notes", body: version === "1.0.0" ? "one" : "two" });
  }
  const watcher = Deno.watchFs(`${home.path}/data/apps/notes`);
  const killed = (async () => {
    for await (const { paths } of watcher) {
      if (paths.some((path) => path.endsWith("/intent.json"))) return Deno.kill(home.pid, "SIGKILL");
    }
  })();
  await home.client.appRollback("notes").catch(() => {});
  watcher.close();
  await killed;
  await home.stop("SIGKILL");
  await home.start();
  const version = await mustBeWhole(home, "1.0.0", "1.0.0");
  assert.equal(version, "1.0.0");
  const [kept] = await home.client.appBackups("notes");
  assert.ok(kept);
  await home.client.appRestore("notes", kept.name);
  const page = await openApp(home, "notes");
  assert.deepEqual(JSON.parse((await page.ask({ path: "/api/notes" })).text), ["one", "two"]);
});
