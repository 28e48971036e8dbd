import assert from "node:assert/strict";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { HandlerError } from "../src/base/mod.ts";
import { copyTree, ensureFolder } from "../src/platform/mod.ts";
import { prepare, verify } from "./prepare.ts";
import { ROOT } from "./repository.ts";

/** A checkout with Handler's guest programs and one connector of a line. */
async function withCheckout(use: (root: string) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "prepare-" });
  try {
    const inside = ["src/apps", "src/config", "src/platform", "src/sandbox", "src/schema"];
    for (const folder of ["src/base", "src/wire", "src/guest", "tools/prepare", ...inside]) {
      await ensureFolder(join(root, folder));
      await copyTree(join(ROOT, folder), join(root, folder));
    }
    await Deno.copyFile(join(ROOT, "inside.ts"), join(root, "inside.ts"));
    await addConnector(root, "small", {
      "main.ts": 'import { sniff } from "@handler/connector";\nsniff(new Uint8Array());\n',
    });
    await use(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

async function addConnector(
  root: string,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  await ensureFolder(join(root, "connectors", name));
  for (const [file, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(root, "connectors", name, file), text);
  }
}

const quietly = (root: string) => prepare({ root, say: () => {} });

Deno.test("a checkout is built once, and what changes is built again", () =>
  withCheckout(async (root) => {
    assert.deepEqual(await verify(root), ["guest is not built", "connectors/small is not built"]);
    assert.deepEqual(await quietly(root), ["guest", "connectors/small"]);
    assert.deepEqual(await quietly(root), []);
    assert.deepEqual(await verify(root), []);
    for (const path of ["guest/boot.js", "guest/kit.js", "guest/service.js", "connectors/small/main.js"]) {
      const { size, mode } = await Deno.stat(join(root, "build", path));
      assert.ok(size > 100, path);
      assert.equal((mode ?? 0) & 0o777, 0o644, path);
    }

    await addConnector(root, "small", { "main.ts": "console.log(1);\n" });
    await Deno.writeTextFile(join(root, "build/connectors/small/left.js"), "");
    assert.deepEqual(await verify(root), ["connectors/small is older than its sources"]);
    assert.deepEqual(await quietly(root), ["connectors/small"]);
    await assert.rejects(Deno.stat(join(root, "build/connectors/small/left.js")));

    await Deno.writeTextFile(join(root, "build/connectors/small/main.js"), "changed");
    assert.deepEqual(await verify(root), ["connectors/small/main.js was changed"]);
    await Deno.remove(join(root, "build/guest/kit.js"));
    assert.deepEqual(await quietly(root), ["guest", "connectors/small"]);

    await Deno.remove(join(root, "connectors/small"), { recursive: true });
    assert.deepEqual(await quietly(root), []);
    await assert.rejects(Deno.stat(join(root, "build/connectors/small")));
  }));

Deno.test("an app gets its page and the app kit where its source lies", () =>
  withCheckout(async (root) => {
    const app = join(root, "apps/small");
    const build = "mkdir -p ui/dist && cp ui/page.html ui/dist/index.html";
    const files = {
      "app.toml": "",
      "ui/page.html": "<p>",
      "deno.json": JSON.stringify({ tasks: { build } }),
    };
    await ensureFolder(join(app, "ui"));
    for (const [file, text] of Object.entries(files)) await Deno.writeTextFile(join(app, file), text);
    assert.deepEqual(await quietly(root), ["guest", "connectors/small", "apps/small"]);
    assert.equal(await Deno.readTextFile(join(app, "ui/dist/index.html")), "<p>");
    const kit = await import(`file://${app}/server/vendor/handler_app.js`);
    assert.equal(typeof kit.serve, "function");
    assert.deepEqual(await verify(root), []);

    await Deno.writeTextFile(join(app, "server/vendor/handler_app.js"), "changed");
    assert.deepEqual(await verify(root), [
      "apps/small has another app kit",
      "../apps/small/server/vendor/handler_app.js was changed",
    ]);
    await Deno.writeTextFile(join(app, "ui/page.html"), "<b>");
    assert.deepEqual(await quietly(root), ["apps/small"]);
    assert.equal(await Deno.readTextFile(join(app, "ui/dist/index.html")), "<b>");
  }));

Deno.test("the desk's page is built where its source lies, with its texts compressed beside it", () =>
  withCheckout(async (root) => {
    const ui = join(root, "ui");
    const text = "<p>a page</p>\n".repeat(100);
    const build =
      "mkdir -p dist && cp page.html dist/index.html && cp page.html dist/a.png && cp small.js dist/a.js";
    const files = {
      "page.html": text,
      "small.js": "let a = 1;",
      "deno.json": JSON.stringify({ tasks: { build } }),
    };
    await ensureFolder(ui);
    for (const [file, content] of Object.entries(files)) await Deno.writeTextFile(join(ui, file), content);
    assert.deepEqual(await quietly(root), ["guest", "connectors/small", "ui"]);
    const made = [...Deno.readDirSync(join(ui, "dist"))].map(({ name }) => name).sort();
    assert.deepEqual(made, ["a.js", "a.png", "index.html", "index.html.br", "index.html.gz"]);
    const page = join(ui, "dist/index.html");
    assert.equal(brotliDecompressSync(await Deno.readFile(`${page}.br`)).toString(), text);
    assert.equal(gunzipSync(await Deno.readFile(`${page}.gz`)).toString(), text);
    assert.deepEqual(await verify(root), []);

    await Deno.remove(`${page}.br`);
    assert.deepEqual(await verify(root), ["../ui/dist/index.html.br is missing"]);
    await Deno.writeTextFile(join(ui, "page.html"), "<b>");
    assert.deepEqual(await quietly(root), ["ui"]);
    assert.equal(await Deno.readTextFile(page), "<b>");
    await assert.rejects(Deno.stat(`${page}.gz`), "the former page");
  }));

Deno.test("two at the same time build everything once", () =>
  withCheckout(async (root) => {
    const built = await Promise.all([quietly(root), quietly(root)]);
    assert.deepEqual(built.flat().sort(), ["connectors/small", "guest"]);
    assert.deepEqual(await verify(root), []);
  }));

Deno.test("a source that does not bundle is told, and the others are built", () =>
  withCheckout(async (root) => {
    await addConnector(root, "broken", { "main.ts": 'import "./nowhere.ts";\n' });
    await assert.rejects(quietly(root), (error: HandlerError) => {
      assert.equal(error.kind, "invalid");
      assert.match(error.message, /connectors\/broken: bundling main\.ts failed/);
      return true;
    });
    assert.deepEqual(await verify(root), ["connectors/broken is not built"]);
  }));
