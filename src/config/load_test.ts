import assert from "node:assert/strict";
import { ProblemList } from "../base/mod.ts";
import { defaultMain, loadConfiguration } from "./load.ts";

const home = () => "/home/ann";

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function fill(folder: string, agents: number): Promise<void> {
  for (const kind of ["agents", "projects", "bindings"]) await Deno.mkdir(`${folder}/${kind}`);
  await Deno.writeTextFile(`${folder}/projects/p.toml`, 'apiVersion = "handler.project/v1"\npath = "/p"\n');
  await Deno.writeTextFile(
    `${folder}/bindings/b.toml`,
    'apiVersion = "handler.binding/v1"\nconnector = "c"\n',
  );
  const text =
    'apiVersion = "handler.agent/v1"\nproject = "p"\nharness = "codex"\nservices = { ocr = "b" }\n';
  await Promise.all(
    Array.from({ length: agents }, (_, at) => Deno.writeTextFile(`${folder}/agents/a${at}.toml`, text)),
  );
}

Deno.test("a folder that is not there is an empty configuration", () =>
  inFolder(async (folder) => {
    const whole = await loadConfiguration(`${folder}/nowhere`, { home });
    assert.deepEqual(whole.main, defaultMain(home));
    assert.equal(whole.agents.size + whole.projects.size + whole.bindings.size, 0);
  }));

Deno.test("a thousand files load in bounded time", () =>
  inFolder(async (folder) => {
    await fill(folder, 1000);
    const start = performance.now();
    const whole = await loadConfiguration(folder, { home });
    assert.equal(whole.agents.size, 1000);
    assert.ok(performance.now() - start < 10_000, `${performance.now() - start} ms`);
  }));

Deno.test("a thousand broken files tell a thousand problems", () =>
  inFolder(async (folder) => {
    await fill(folder, 1000);
    await Deno.remove(`${folder}/bindings/b.toml`);
    const error = await loadConfiguration(folder, { home }).catch((error) => error);
    assert.ok(error instanceof ProblemList);
    assert.equal(error.problems.length, 1000);
    const { file, ...place } = error.problems[0]?.where ?? {};
    assert.equal(file, `${folder}/agents/a0.toml`);
    assert.deepEqual(place, { line: 4, column: 14, key: "services.ocr" });
  }));

Deno.test("the set is frozen through and through", () =>
  inFolder(async (folder) => {
    await fill(folder, 1);
    const whole = await loadConfiguration(folder, { home });
    const agent = whole.agents.get("a0");
    assert.ok(
      [whole, whole.main, whole.main.egress.dial, agent, agent?.services, agent?.services["ocr"]].every(
        Object.isFrozen,
      ),
    );
    const map = whole.agents as Map<string, unknown>;
    assert.throws(() => map.set("x", 1), TypeError);
    assert.throws(() => map.delete("a0"), TypeError);
    assert.throws(() => map.clear(), TypeError);
  }));

Deno.test("what an edit lays over the files is read in their place", () =>
  inFolder(async (folder) => {
    await fill(folder, 2);
    const overlay = new Map([
      [`${folder}/agents/a0.toml`, null],
      [`${folder}/agents/new.toml`, 'apiVersion = "handler.agent/v1"\nproject = "p"\nharness = "vibe"\n'],
      [`${folder}/config.toml`, 'apiVersion = "handler.config/v1"\nsandbox = "deno"\n'],
    ]);
    const whole = await loadConfiguration(folder, { home, overlay });
    assert.deepEqual([...whole.agents.keys()], ["a1", "new"]);
    assert.equal(whole.main.sandbox, "deno");
  }));

Deno.test("links to files are read; a link to nothing, a folder and a FIFO under a file's name are told", () =>
  inFolder(async (folder) => {
    await fill(folder, 1);
    await Deno.rename(`${folder}/bindings/b.toml`, `${folder}/elsewhere`);
    await Deno.symlink("../elsewhere", `${folder}/bindings/b.toml`);
    assert.equal((await loadConfiguration(folder, { home })).bindings.size, 1);
    await Deno.symlink("nothing", `${folder}/bindings/gone.toml`);
    await Deno.mkdir(`${folder}/bindings/folder.toml`);
    await new Deno.Command("mkfifo", { args: [`${folder}/bindings/fifo.toml`] }).output();
    await Deno.symlink("fifo.toml", `${folder}/bindings/to-fifo.toml`);
    await Deno.truncate(`${folder}/elsewhere`, 17 * 1024 * 1024);
    const error = await loadConfiguration(folder, { home }).catch((error) => error);
    const told = (error as ProblemList).problems.map(({ where, message }) =>
      `${where?.file?.split("/").pop()}: ${message.replace(folder, "~")}`
    );
    assert.deepEqual(told.sort(), [
      "b.toml: cannot be read: it must have at most 16777216 bytes, found 17825792",
      "fifo.toml: must be a file, found a socket, a FIFO or a device",
      "folder.toml: must be a file, found a folder",
      "gone.toml: cannot be read: there is no ~/bindings/gone.toml",
      "to-fifo.toml: cannot be read: it is no regular file",
    ]);
  }));
