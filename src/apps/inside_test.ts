import assert from "node:assert/strict";
import { layApp } from "../../tests/apps/small_app.ts";
import { runInside } from "./inside.ts";

async function inside(line: string, cwd: string, template?: string) {
  let out = "", err = "";
  const terminal = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
  const code = await runInside(line.split(" ").filter(Boolean), { terminal, cwd, template });
  return { code, out, err };
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "inside-" }));
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("check says that all is well, or everything that is not, as text and as JSON", () =>
  inFolder(async (folder) => {
    await layApp(`${folder}/small`, { name: "small" });
    const well = await inside("app check small", folder);
    assert.deepEqual([well.code, well.out], [0, ""]);
    assert.match(well.err, /would refuse nothing/);

    await layApp(`${folder}/small`, {
      name: "small",
      server: 'import "npm:left-pad";\n',
      test: 'import "../x.ts";',
    });
    await Deno.symlink("/etc/passwd", `${folder}/small/server/words`);
    await Deno.remove(`${folder}/small/ui/dist/index.html`);
    const bad = await inside("app check", `${folder}/small`);
    assert.equal(bad.code, 1);
    const lines = bad.out.split("\n").filter((line) => line !== "" && !line.startsWith("  hint: "));
    assert.deepEqual(lines.map((line) => line.replaceAll(`${folder}/small/`, "")), [
      "app.toml:ui.dir: the built page must have an index.html, found none in ui/dist",
      "server: words cannot be copied: its link leads out",
      `server/main.ts:1: nothing is fetched: "npm:left-pad" will not be found`,
      `server/main_test.ts:1: only the backend's folder is installed: "../x.ts" leads out of it`,
    ]);
    const json = await inside("app check --json small", folder);
    assert.equal(json.code, 1);
    const { schema, passed, problems } = JSON.parse(json.out);
    assert.deepEqual([schema, passed, problems.length], [1, false, 4]);
    assert.deepEqual(Object.keys(problems[0]), ["where", "message", "hint"]);

    await Deno.writeTextFile(
      `${folder}/small/app.toml`,
      'apiVersion = "handler.miniapp/v1"\nname = "Small"\n',
    );
    assert.match((await inside("app check small", folder)).out, /app\.toml:2:\S*name: /);
    assert.match((await inside("app check nowhere", folder)).out, /a mini app has a manifest app\.toml/);
  }));

Deno.test("a new app comes from the addon's template, where that is there", () =>
  inFolder(async (folder) => {
    await layApp(`${folder}/template`, { name: "notes" });
    await Deno.mkdir(`${folder}/template/ui`, { recursive: true });
    await Deno.writeTextFile(`${folder}/template/ui/index.html`, "<title>Notes</title>");
    const made = await inside("app new todo", folder, `${folder}/template`);
    assert.deepEqual(made, { code: 0, out: `${folder}/todo\n`, err: "" });
    assert.equal((await inside("app check todo", folder)).code, 0);
    assert.equal((await inside("app new todo", folder, `${folder}/template`)).code, 1);
    assert.match((await inside("app new other", folder)).err, /addon for mini apps is not in this sandbox/);
  }));

Deno.test("nothing else is there, and that is said", async () => {
  for (const line of ["app deploy notes", "app check a b", "app new", "app", "calls", "app check --wrong"]) {
    const { code, out, err } = await inside(line, "/");
    assert.deepEqual([code, out], [2, ""], line);
    assert.match(err, /Usage: handler app new/, line);
  }
  assert.match((await inside("--help", "/")).out, /Deploying is for the person/);
});
