import assert from "node:assert/strict";
import type { DeployProgress } from "../../src/apps/mod.ts";
import { visit } from "./ask.ts";
import { onDrivers } from "./drivers.ts";
import { layApp, notes } from "./small_app.ts";

const TEST = `Deno.test("the data folder is empty and nothing else is there", () => {
  const found = [...Deno.readDirSync(Deno.env.get("HANDLER_APP_DATA")!)].map(({ name }) => name);
  if (found.length > 0) throw new Error("found " + found);
});`;

onDrivers("deploy, call, deploy with a migration, roll back, take the roll-back back", async (desk) => {
  const source = await desk.lay({ name: "notes", test: TEST });
  const steps: DeployProgress[] = [];
  const first = await desk.deploy("notes", (step) => steps.push(step));
  assert.equal(first.version.number, 1);
  assert.deepEqual(
    steps.filter(({ state }) => state === "done").map(({ step }) => step),
    ["snapshot", "test", "backup", "rehearse", "switch"],
  );
  assert.match(steps.find(({ step, state }) => step === "test" && state === "done")!.detail, /1 passed/);

  const page = await visit(desk, "notes");
  assert.match((await page.ask({})).text, /Small app/);
  assert.equal(desk.apps.state("notes"), "stopped", "the page does not wake the backend");
  for (const text of ["one", "two"]) {
    assert.equal((await page.ask({ method: "POST", path: "/api/notes", body: text })).status, 201);
  }

  const more = `CREATE TABLE IF NOT EXISTS tags (tag TEXT);
    INSERT INTO tags SELECT 'red' WHERE NOT EXISTS (SELECT 1 FROM tags)`;
  await layApp(source, { name: "notes", version: "0.2.0", server: notes(more), test: TEST });
  const second = await desk.deploy("notes");
  assert.deepEqual(second.rehearsal, [
    { table: "notes", before: 2, after: 2 },
    { table: "tags", before: null, after: 1 },
  ]);
  await page.ask({ method: "POST", path: "/api/notes", body: "three" });
  assert.deepEqual(JSON.parse((await page.ask({ path: "/api/notes" })).text), ["one", "two", "three"]);

  const plan = await desk.apps.planRollback("notes");
  assert.deepEqual(plan.lost, { notes: 1, tags: 1 });
  assert.deepEqual([plan.from.manifest.version, plan.to.manifest.version], ["0.2.0", "0.1.0"]);
  const kept = await desk.apps.rollback("notes");
  assert.deepEqual(JSON.parse((await page.ask({ path: "/api/notes" })).text), ["one", "two"]);
  assert.equal(desk.apps.page("notes")!.mark, first.version.hash.slice(0, 16), "the very files that ran");

  const back = `${desk.folders.data}/apps/notes/backups/${kept}`;
  await desk.apps.restore("notes", back);
  assert.deepEqual(JSON.parse((await page.ask({ path: "/api/notes" })).text), ["one", "two", "three"]);
});
