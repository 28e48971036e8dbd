import assert from "node:assert/strict";
import { join } from "node:path";
import { newApp } from "../../src/apps/mod.ts";
import { listFolder } from "../../src/platform/mod.ts";
import { ROOT } from "../../tools/repository.ts";
import { visit } from "./ask.ts";
import { task } from "./author.ts";
import type { Desk } from "./desk.ts";
import { onDrivers } from "./drivers.ts";

const TEMPLATE = join(ROOT, "addons/miniapp/template");

async function withNewApp(use: (folder: string) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "new-app-" });
  try {
    await newApp({ template: TEMPLATE, name: "diary", folder: `${root}/diary` });
    await use(`${root}/diary`);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

async function filesBelow(folder: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) {
      for (const [below, text] of Object.entries(await filesBelow(path))) found[`${name}/${below}`] = text;
    } else found[name] = await Deno.readTextFile(path);
  }
  return found;
}

Deno.test("a new app's own tests pass, its types hold, and its page builds to what came with it", () =>
  withNewApp(async (folder) => {
    const page = await filesBelow(`${folder}/ui/dist`);
    assert.match(page["index.html"]!, /<title>Diary<\/title>/);
    const told = await task(folder, "test");
    assert.equal(told.match(/\d+ passed \| 0 failed/g)?.length, 2, told);
    await task(folder, "check");
    await task(folder, "build");
    assert.deepEqual(await filesBelow(`${folder}/ui/dist`), page);
  }));

Deno.test("a new app's tests fail where its code does", () =>
  withNewApp(async (folder) => {
    const file = `${folder}/server/notes.ts`;
    const text = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, text.replace("ORDER BY pinned DESC, ", "ORDER BY "));
    await assert.rejects(task(folder, "test"), /pinned notes come first/);
  }));

for (const app of ["addons/miniapp/template", "apps/coach", "apps/receipts"]) {
  Deno.test(`${app}: the page is one script and one stylesheet, small, and needs nothing but its own origin`, async () => {
    const { "index.html": html = "", "icon.svg": icon = "", ...files } = await filesBelow(
      join(ROOT, app, "ui/dist"),
    );
    const [script, style, ...others] = Object.keys(files).sort();
    assert.deepEqual(others, []);
    assert.match(script!, /^assets\/[\w-]+-[\w-]{8}\.js$/);
    assert.match(style!, /^assets\/[\w-]+-[\w-]{8}\.css$/);
    for (const name of [script, style]) assert.equal(html.split(`"/${name}"`).length, 2, name);
    assert.doesNotMatch(html, /<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|https?:/);
    assert.doesNotMatch(files[style!]!, /url\(|@import/);
    assert.doesNotMatch(files[script!]!, /\bimport\s*\(|\beval\(|new Function/);
    const size = [html, icon, ...Object.values(files)].reduce((sum, text) => sum + text.length, 0);
    assert.ok(size < 60_000, `${size} bytes`);
  });
}

Deno.test("the app kit beside a backend is the one that was built", async () => {
  const built = await Deno.readTextFile(join(ROOT, "build/guest/app_kit.js"));
  const demos = (await listFolder(join(ROOT, "apps"))).map(({ name }) => join(ROOT, "apps", name));
  for (const app of [TEMPLATE, ...demos]) {
    const vendored = await Deno.readTextFile(join(app, "server/vendor/handler_app.js"));
    assert.equal(vendored, `// @ts-self-types="./handler_app.d.ts"\n${built}`, app);
  }
});

/** Makes an app from the template where its desk keeps sources, and deploys it. */
async function deployNew(desk: Desk, name: string): Promise<string> {
  const folder = `${desk.root}/source/${name}`;
  await newApp({ template: TEMPLATE, name, folder });
  await desk.apps.add(folder);
  await desk.deploy(name);
  return folder;
}

onDrivers("a new app is deployed as it comes, keeps each person's notes, and migrates", async (desk) => {
  const folder = await deployNew(desk, "diary");
  const page = await visit(desk, "diary");
  assert.match((await page.ask({})).text, /<title>Diary<\/title>/);
  const json = { "content-type": "application/json" };
  const add = async (text: string, headers = {}) => {
    const body = JSON.stringify({ text });
    return await page.ask({ method: "POST", path: "/api/notes", headers: { ...json, ...headers }, body });
  };
  assert.equal((await add("milk")).status, 200);
  for (let time = 0; time < 2; time++) await add("bread", { "idempotency-key": "k" });
  const notes = async (visited = page): Promise<string[]> =>
    JSON.parse((await visited.ask({ path: "/api/notes" })).text).map(({ text }: { text: string }) => text);
  assert.deepEqual(await notes(), ["bread", "milk"]);
  await desk.apps.settle("diary", (settings) => ({ ...settings, persons: ["alice"] }));
  assert.deepEqual(await notes(await visit(desk, "diary", "alice")), []);

  await Deno.writeTextFile(
    `${folder}/server/migrations/003_mood.sql`,
    "ALTER TABLE notes ADD COLUMN mood TEXT;\n",
  );
  const { rehearsal } = await desk.deploy("diary");
  assert.deepEqual(rehearsal, [{ table: "notes", before: 2, after: 2 }]);
  assert.deepEqual(await notes(), ["bread", "milk"]);

  const first = `${folder}/server/migrations/001_notes.sql`;
  await Deno.writeTextFile(
    first,
    (await Deno.readTextFile(first)).replace("text       TEXT", "body       TEXT"),
  );
  await assert.rejects(desk.deploy("diary"));
  assert.deepEqual(await notes(), ["bread", "milk"]);
});
