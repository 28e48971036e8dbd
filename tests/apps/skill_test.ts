/** `addons/miniapp/skills/miniapp/SKILL.md`, done as it says: on a desk, in an agent's sandbox, and at a deploy. */
import assert from "node:assert/strict";
import { DENO_VERSION } from "../../src/base/mod.ts";
import { newApp } from "../../src/apps/mod.ts";
import { endGroup, requestUnix, run, start } from "../../src/platform/mod.ts";
import { denoEnv, denoOf } from "../../tools/denos.ts";
import { ROOT } from "../../tools/repository.ts";
import { inHome, logOf, shellAgent } from "../agents/support.ts";
import { until } from "../system/wait.ts";
import { visit } from "./ask.ts";
import { onDriver, onDrivers } from "./drivers.ts";

const ADDON = `${ROOT}/addons/miniapp`;
const skill = await Deno.readTextFile(`${ADDON}/skills/miniapp/SKILL.md`);

/** The indented blocks, each as one text without its indent. */
const blocks = [...skill.matchAll(/(?:^ {4}.+\n)+/gm)].map(([block]) => block.replace(/^ {4}/gm, ""));

function blockWith(text: string): string {
  const found = blocks.find((block) => block.includes(text));
  assert.ok(found, `the skill has no block with ${text}`);
  return found;
}

const fenced = (text: string) => {
  const found = [...skill.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].find(([block]) => block.includes(text));
  assert.ok(found, `the skill has no code with ${text}`);
  return found[1]!;
};

const COPY = blockWith("cp -r").trim();
const TASKS = blockWith("deno task dev").trim().split("\n").map((line) => line.split("#")[0]!.trim());

async function inTodo(use: (folder: string) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "skill-" }));
  try {
    const template = `${root}/template`; // as it is shipped: without what its developer made there
    await newApp({ template: `${ADDON}/template`, name: "notes", folder: template });
    const { code, stderr } = await run(["/bin/sh", "-c", COPY], {
      cwd: root,
      inheritEnv: true,
      env: { HANDLER_MINIAPP_TEMPLATE: template },
    });
    assert.equal(code, 0, stderr);
    await rename(`${root}/todo`);
    await use(`${root}/todo`);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const before = await Deno.readTextFile(file), after = change(before);
  assert.notEqual(after, before, file);
  await Deno.writeTextFile(file, after);
}

/** "Set `name` and `description` in `app.toml` and the `<title>` in `ui/index.html`." */
async function rename(folder: string): Promise<void> {
  await edit(
    `${folder}/app.toml`,
    (text) =>
      text.replace(/^name = .*$/m, 'name = "todo"').replace(
        /^description = .*$/m,
        'description = "What is to do"',
      ),
  );
  await edit(`${folder}/ui/index.html`, (text) => text.replace(/<title>.*<\/title>/, "<title>Todo</title>"));
}

Deno.test("the tasks of the skill do what it says of them", () =>
  inTodo(async (folder) => {
    assert.deepEqual(TASKS, ["dev", "test", "check", "build"].map((name) => `deno task ${name}`));
    const deno = await denoOf(DENO_VERSION);
    await developed(folder, deno);
    for (const line of TASKS.slice(1)) {
      const options = { inheritEnv: true, env: denoEnv(), cwd: folder };
      const { code, stdout, stderr } = await run([deno, ...line.split(" ").slice(1)], options);
      assert.equal(code, 0, `${line}\n${stdout}${stderr}`);
    }
    assert.match(await Deno.readTextFile(`${folder}/ui/dist/index.html`), /<title>Todo<\/title>/);
  }));

/** `deno task dev`: the backend answers, the page's server says where it is, the data lies in `.dev`. */
async function developed(folder: string, deno: string): Promise<void> {
  const child = start([deno, "task", "dev"], { inheritEnv: true, env: denoEnv(), cwd: folder });
  let printed = "";
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const bytes of stream) printed += decoder.decode(bytes, { stream: true });
  };
  const reading = Promise.allSettled([read(child.stdout), read(child.stderr)]);
  try {
    await until("the page's server", () => /localhost:/.test(printed), 60_000);
    const health = () => requestUnix(`${folder}/.dev/app.sock`, "GET", "/api/health", 5_000);
    assert.equal(await until("the backend", async () => await health() === 200 && 200, 60_000), 200);
    await Deno.stat(`${folder}/.dev/data/app.db`);
  } catch (error) {
    throw new Error(printed, { cause: error });
  } finally {
    endGroup(child.pid, "SIGTERM");
    // `deno task` may outlive what it started: it waits for a signal that went to the whole group already
    const hard = setTimeout(() => endGroup(child.pid, "SIGKILL"), 5_000);
    await child.status;
    clearTimeout(hard);
    await reading;
  }
}

for (const driver of ["bubblewrap", "podman"] as const) {
  onDriver(driver, "in an agent's sandbox the skill's begin and its check work, and no deploy", async () => {
    const script = [
      "export HANDLER_MINIAPP_TEMPLATE=$PWD/.template",
      `(${COPY} && deno task test:server && deno task check && handler app check . && echo well)`,
      "handler app new diary && cat diary/app.toml && handler app check ./diary",
      `echo 'import "npm:left-pad";' >> todo/server/main.ts`,
      "handler app check ./todo --json; echo code=$?",
      "handler app deploy todo; echo code=$?",
    ].join("\n");
    await inHome({ clerk: shellAgent(script) }, async ({ agents }, home) => {
      await newApp({ template: `${ADDON}/template`, name: "todo", folder: `${home}/work/.template` });
      const { id } = await agents.run("clerk", {});
      const log = await logOf(agents, id);
      assert.match(log, /\d+ passed \| 0 failed[\s\S]*would refuse nothing of this\nwell\n/, log);
      assert.match(log, /name = "diary"[\s\S]*a deploy of .*\/diary would refuse nothing/, log);
      assert.match(log, /"passed": false[\s\S]*npm:left-pad[\s\S]*code=1/, log);
      assert.match(log, /Deploying is for the person[\s\S]*code=2/, log);
    }, driver);
  });
}

const STATEMENTS: Readonly<Record<string, string>> = {
  ATTACH: `ATTACH 'other.db' AS other`,
  VACUUM: "VACUUM",
  "VACUUM INTO": `VACUUM INTO 'copy.db'`,
  FTS5: "CREATE VIRTUAL TABLE words USING fts5(text)",
  JSON: `SELECT json_extract('{"a":1}', '$.a')`,
  "window functions": "SELECT row_number() OVER (ORDER BY id) FROM notes",
  "temporary tables": "CREATE TEMP TABLE t (x)",
};

onDrivers("what the skill says of SQL holds, and its way round ATTACH copies rows", async (desk) => {
  const [, not = "", works = ""] =
    /These do not work,[\s\S]*?attach a database:([^;]*);[\s\S]*?backups\. ([^.]*) work\./.exec(skill) ?? [];
  const refused = [...not.matchAll(/`([A-Z ]+)`/g)].map(([, name]) => name!);
  const allowed = works.split(/,\s+|\s+and\s+/).map((name) => name.replaceAll(/\s+/g, " "));
  assert.deepEqual([...refused, ...allowed].sort(), Object.keys(STATEMENTS).sort());

  const folder = `${desk.root}/source/todo`;
  await newApp({ template: `${ADDON}/template`, name: "todo", folder });
  await edit(`${folder}/server/app.ts`, (text) =>
    text.replace(
      /routes: \{/,
      `routes: {
    "POST /api/sql": async (call) => {
      const { sql } = await call.json() as { sql: string };
      try { call.db.exec(sql); return { well: true }; } catch (error) { return { well: false, why: String(error) }; }
    },
    "GET /api/archive": () => {
      const archive = new DatabaseSync(dataFolder() + "/archive.db");
      return archive.prepare("SELECT text FROM notes").all();
    },`,
    ).replace(
      /^/,
      `import { DatabaseSync } from "node:sqlite";\nimport { dataFolder } from "./vendor/handler_app.js";\n`,
    ));
  await desk.apps.add(folder);
  await desk.deploy("todo");
  const page = await visit(desk, "todo");
  const json = { "content-type": "application/json" };
  const post = async (path: string, body: unknown) =>
    JSON.parse((await page.ask({ method: "POST", path, headers: json, body: JSON.stringify(body) })).text);
  for (const [name, sql] of Object.entries(STATEMENTS)) {
    const { well, why } = await post("/api/sql", { sql });
    assert.equal(well, allowed.includes(name), `${name}: ${why}`);
  }

  for (const text of ["old", "new"]) await post("/api/notes", { text });
  await post("/api/sql", { sql: "UPDATE notes SET changed_at = '2001-01-01' WHERE text = 'old'" });
  await Deno.writeTextFile(`${folder}/server/migrations/003_archive.ts`, fenced("archive.db"));
  assert.deepEqual(await desk.apps.check(folder), []);
  const { rehearsal } = await desk.deploy("todo");
  const rows = Object.fromEntries(rehearsal.map(({ table, before, after }) => [table, [before, after]]));
  assert.deepEqual(
    Object.values(rows).flat().filter((count) => count === 1).length > 0,
    true,
    JSON.stringify(rows),
  );
  const texts = (answer: string) => JSON.parse(answer).map(({ text }: { text: string }) => text);
  assert.deepEqual(texts((await page.ask({ path: "/api/notes" })).text), ["new"]);
  assert.deepEqual(texts((await page.ask({ path: "/api/archive" })).text), ["old"]);
});

onDriver(
  "bubblewrap",
  "the skill's needs and routes are read, shown and refused without a person's choice",
  async (desk) => {
    const folder = `${desk.root}/source/todo`;
    await newApp({ template: `${ADDON}/template`, name: "todo", folder });
    await edit(
      `${folder}/app.toml`,
      (text) =>
        text.replace(/^\[needs\]\n(?:.+\n)*/m, blockWith("[needs]") + "\n").replace(
          /^\[routes\]\n(?:.+\n)*/m,
          blockWith("[routes]"),
        ),
    );
    assert.deepEqual(await desk.apps.check(folder), []);
    await desk.apps.add(folder);
    const { newNeeds, unsettled, manifest } = await desk.apps.plan("todo");
    assert.deepEqual(newNeeds, [
      "reach rustical.lan:443",
      "the secret LLM_API_KEY",
      "read the folder photos",
      "call the service ocr/v1",
      "put messages into your inbox",
    ]);
    assert.equal(unsettled.length, 3);
    assert.deepEqual(manifest.routes, { "POST /api/notes": "queued" });
    await assert.rejects(desk.deploy("todo"), /cannot be deployed yet/);
  },
);
