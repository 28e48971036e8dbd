import assert from "node:assert/strict";
import { join } from "node:path";
import { parse } from "smol-toml";

import { DENO_VERSION, isObject } from "../../src/base/mod.ts";
import { ROOT } from "../../tools/repository.ts";

const ADDON = join(ROOT, "addons/miniapp");

const skill = await Deno.readTextFile(join(ADDON, "skills/miniapp/SKILL.md"));

Deno.test("the addon names what is there, and the Deno that apps run on", async () => {
  const addon = parse(await Deno.readTextFile(join(ADDON, "addon.toml")));
  assert.equal(addon.apiVersion, "handler.addon/v1");
  assert.ok(isObject(addon.tools) && isObject(addon.files) && isObject(addon.env));
  assert.equal(addon.tools.deno, DENO_VERSION);
  for (const folder of Object.keys(addon.files)) {
    assert.ok((await Deno.stat(join(ADDON, folder))).isDirectory);
  }
  assert.equal(addon.env.HANDLER_MINIAPP_TEMPLATE, addon.files.template);
  for (const folder of addon.skills as string[]) await Deno.stat(join(ADDON, folder, "SKILL.md"));
});

Deno.test("the skill says when it is for", () => {
  const [, head = ""] = /^---\n(.*?)\n---\n/s.exec(skill) ?? [];
  assert.match(head, /^name: miniapp$/m);
  assert.match(head, /^description: .{60,500}$/m);
});

Deno.test("what the skill names is in the template", async () => {
  const template = join(ADDON, "template");
  const { tasks } = JSON.parse(await Deno.readTextFile(join(template, "deno.json")));
  for (const [, task = ""] of skill.matchAll(/deno task ([a-z:]+)/g)) assert.ok(task in tasks, task);
  const files = [
    "app.toml",
    "server/main.ts",
    "server/app.ts",
    "server/vendor/handler_app.d.ts",
    "ui/src/api.ts",
  ];
  for (const file of [...files, "ui/src/app.css", "ui/vite.config.ts", "ui/index.html"]) {
    assert.ok(skill.includes(file), file);
    await Deno.stat(join(template, file));
  }
  const declared = await Deno.readTextFile(join(template, "server/vendor/handler_app.d.ts"));
  const api = await Deno.readTextFile(join(template, "ui/src/api.ts"));
  const names = [...skill.matchAll(/`(?:await )?([a-zA-Z]+)(?:<[^>]*>)?\(/g)].map(([, name]) => name);
  for (const name of new Set(names)) {
    assert.ok(new RegExp(`function ${name}\\b`).test(declared + api) || name === "serve", name);
  }
});

Deno.test("the skill's example runs", async () => {
  const [, code = ""] = /```ts\n(.*?)```/s.exec(skill) ?? [];
  const folder = await Deno.makeTempDir({ prefix: "skill-" });
  try {
    const kit = `file://${ADDON}/template/server/vendor/handler_app.js`;
    await Deno.mkdir(`${folder}/migrations`);
    const table =
      "CREATE TABLE notes (id INTEGER PRIMARY KEY, person TEXT NOT NULL, text TEXT NOT NULL) STRICT";
    await Deno.writeTextFile(`${folder}/migrations/001_notes.sql`, table);
    await Deno.writeTextFile(`${folder}/app.ts`, code.replace("./vendor/handler_app.js", kit));
    const { app } = await import(`file://${folder}/app.ts`);
    const { openApp } = await import(kit);
    using open = await openApp(app, { data: ":memory:" });
    const added = await (await open.call("POST /api/notes", { json: { text: "milk" } })).json();
    assert.deepEqual(added, { id: 1, person: "owner", text: "milk" });
    assert.deepEqual(await (await open.call("GET /api/notes/1")).json(), added);
    assert.equal((await open.call("GET /api/notes/1", { person: "alice" })).status, 404);
    assert.equal((await open.call("POST /api/notes", { json: {} })).status, 400);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
