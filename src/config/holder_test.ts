import assert from "node:assert/strict";
import { HandlerError, silentLogger } from "../base/mod.ts";
import { ConfigurationHolder } from "./holder.ts";
import { loadConfiguration } from "./load.ts";
import type { ConfigurationChange } from "./change.ts";

const PROJECT = 'apiVersion = "handler.project/v1"\npath = "/books"\n';

async function withHolder(
  work: (folder: string, holder: ConfigurationHolder) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/projects`);
  await Deno.writeTextFile(`${folder}/projects/books.toml`, PROJECT);
  const load = () => loadConfiguration(folder, { home: () => "/home/ann" });
  try {
    await work(folder, new ConfigurationHolder({ initial: await load(), load, log: silentLogger }));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a reload tells what changed, and nothing where nothing did", () =>
  withHolder(async (folder, holder) => {
    const told: ConfigurationChange[] = [];
    const end = holder.subscribe((change) => void told.push(change));
    assert.equal((await holder.reload()).ok, true);
    assert.deepEqual(told, []);
    await Deno.writeTextFile(`${folder}/projects/books.toml`, PROJECT + 'privacy = "local"\n');
    await Deno.writeTextFile(`${folder}/projects/letters.toml`, PROJECT);
    await Deno.writeTextFile(
      `${folder}/config.toml`,
      'apiVersion = "handler.config/v1"\nsandbox = "podman"\n',
    );
    await holder.reload();
    const none = { added: [], changed: [], removed: [] };
    const projects = { added: ["letters"], changed: ["books"], removed: [] };
    assert.deepEqual(told, [{ main: true, agents: none, projects, bindings: none, persons: none }]);
    assert.equal(holder.current().projects.get("books")?.privacy, "local");
    end();
    await Deno.remove(`${folder}/projects/letters.toml`);
    await holder.reload();
    assert.equal(told.length, 1);
    assert.equal(holder.current().projects.has("letters"), false);
  }));

Deno.test("a reload with a problem keeps the old set and says why, until it is mended", () =>
  withHolder(async (folder, holder) => {
    const before = holder.current();
    await Deno.writeTextFile(`${folder}/projects/books.toml`, PROJECT + "privcy = 1\n");
    const result = await holder.reload();
    assert.equal(result.ok, false);
    assert.equal(holder.current(), before);
    assert.match(String(holder.problem()), /books\.toml:3:privcy: unknown key/);
    await Deno.writeTextFile(`${folder}/projects/books.toml`, PROJECT);
    assert.equal((await holder.reload()).ok, true);
    assert.equal(holder.problem(), undefined);
  }));

Deno.test("what hangs on a set comes into force with it, or not at all", () =>
  withHolder(async (folder, holder) => {
    const before = holder.current();
    let inForce = before;
    await Deno.writeTextFile(`${folder}/projects/letters.toml`, PROJECT);
    const refused = await holder.reload(() => Promise.reject(new HandlerError("unavailable", "not ready")));
    assert.equal(refused.ok, false);
    assert.equal(holder.current(), before);
    holder.subscribe((_, current) => assert.equal(inForce, current));
    await holder.reload((next) => {
      assert.equal(holder.current(), before);
      return Promise.resolve(() => void (inForce = next));
    });
    assert.equal(inForce, holder.current());
    assert.notEqual(inForce, before);
  }));

Deno.test("a listener that fails does not keep the others from being told", () =>
  withHolder(async (folder, holder) => {
    const told: string[] = [];
    holder.subscribe(() => {
      throw new HandlerError("internal", "no");
    });
    holder.subscribe((_, now, before) => void told.push(`${before.projects.size} ${now.projects.size}`));
    await Deno.writeTextFile(`${folder}/projects/letters.toml`, PROJECT);
    await Promise.all([holder.reload(), holder.reload()]);
    assert.deepEqual(told, ["1 2"]);
  }));
