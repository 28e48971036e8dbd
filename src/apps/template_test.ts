import assert from "node:assert/strict";
import { HandlerError } from "../base/mod.ts";
import { readManifest } from "./manifest.ts";
import { newApp } from "./template.ts";

const FILES: Readonly<Record<string, string>> = {
  "app.toml": [
    'apiVersion = "handler.miniapp/v1"',
    'name = "notes" # yours',
    'version = "0.1.0"',
    'description = "Short notes"',
    "",
  ].join("\n"),
  "server/main.ts": "// notes\n",
  "ui/index.html": "<!doctype html><title>Notes</title><p>notes",
  "ui/dist/index.html": "<!doctype html><title>Notes</title><script src=/a.js></script>",
  "ui/node_modules/x/index.js": "",
  ".dev/data/app.db": "",
  ".gitignore": "node_modules/\n",
};

async function withTemplate(use: (template: string, into: string) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "template-" });
  try {
    for (const [path, text] of Object.entries(FILES)) {
      const file = `${root}/template/${path}`;
      await Deno.mkdir(file.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(file, text);
    }
    await use(`${root}/template`, `${root}/apps`);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("a new app is the template with its name, without what its developer made there", () =>
  withTemplate(async (template, into) => {
    const folder = `${into}/shopping-list`;
    const files = await newApp({ template, name: "shopping-list", folder });
    const expected = [".gitignore", "app.toml", "server/main.ts", "ui/dist/index.html", "ui/index.html"];
    assert.deepEqual([...files].sort(), expected);
    assert.match(await Deno.readTextFile(`${folder}/app.toml`), /^name = "shopping-list" # yours$/m);
    assert.equal((await readManifest(folder)).name, "shopping-list");
    for (const page of ["ui/index.html", "ui/dist/index.html"]) {
      assert.match(await Deno.readTextFile(`${folder}/${page}`), /<title>Shopping list<\/title>/);
    }
    assert.deepEqual([...Deno.readDirSync(into)].map(({ name }) => name), ["shopping-list"]);
  }));

Deno.test("a new app takes an empty folder, and no other", () =>
  withTemplate(async (template, into) => {
    await Deno.mkdir(`${into}/a`, { recursive: true });
    await newApp({ template, name: "a", folder: `${into}/a` });
    await assert.rejects(
      newApp({ template, name: "a", folder: `${into}/a` }),
      (error: HandlerError) => error.kind === "conflict",
    );
  }));

Deno.test("a name that no app can have leaves nothing behind", () =>
  withTemplate(async (template, into) => {
    for (const name of ["Notes", "../x", "", "localhost"]) {
      await assert.rejects(newApp({ template, name, folder: `${into}/x` }), HandlerError, name);
    }
    await assert.rejects(newApp({ template, name: "Bad Name", folder: `${into}/x` }), { kind: "usage" });
    assert.deepEqual([...Deno.readDirSync(into)], []);
  }));

Deno.test("a template whose page is not built is told as that", () =>
  withTemplate(async (template, into) => {
    await Deno.remove(`${template}/ui/dist`, { recursive: true });
    await assert.rejects(newApp({ template, name: "a", folder: `${into}/a` }), /page is not built/);
  }));
