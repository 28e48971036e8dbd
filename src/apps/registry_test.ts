import assert from "node:assert/strict";
import { AppRegistry, NO_SETTINGS } from "./registry.ts";
import type { App } from "./records.ts";

const app = (name: string): App => ({ name, source: `/src/${name}`, settings: NO_SETTINGS, versions: [] });

async function withRegistry(use: (registry: AppRegistry, path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "registry-" });
  try {
    await use(await AppRegistry.open(`${folder}/apps.json`), `${folder}/apps.json`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("what is put is there, in order, also for the next daemon", () =>
  withRegistry(async (registry, path) => {
    await Promise.all(["c", "a", "b"].map((name) => registry.put(app(name))));
    await registry.update("b", (now) => ({ ...now, settings: { ...now.settings, persons: ["alice"] } }));
    await registry.remove("c", { ...app("d"), source: "/src/c" });
    for (const one of [registry, await AppRegistry.open(path)]) {
      assert.deepEqual(one.all().map(({ name, source }) => `${name} ${source}`), [
        "a /src/a",
        "b /src/b",
        "d /src/c",
      ]);
      assert.deepEqual(one.get("b").settings.persons, ["alice"]);
      assert.equal(one.find("c"), undefined);
      assert.throws(() => one.get("c"), { kind: "not_found", hint: "apps here: a, b, d" });
    }
    assert.ok(Object.isFrozen(registry.get("a").settings));
  }));

Deno.test("changes at the same time lose none, and one that fails changes nothing", () =>
  withRegistry(async (registry, path) => {
    await registry.put(app("a"));
    const person = (name: string) =>
      registry.update("a", (now) => ({
        ...now,
        settings: { ...now.settings, persons: [...now.settings.persons, name] },
      }));
    const names = Array.from({ length: 20 }, (_, at) => `p${at}`);
    await Promise.all(names.map(person));
    assert.deepEqual((await AppRegistry.open(path)).get("a").settings.persons, names);
    await assert.rejects(registry.update("b", (now) => now), /there is no app "b"/);
    await Deno.remove(path);
    await Deno.mkdir(path);
    await assert.rejects(registry.put(app("z")));
    assert.equal(registry.find("z"), undefined);
  }));

Deno.test("a registry that cannot be read is told, what was not finished is removed", () =>
  withRegistry(async (_, path) => {
    for (const text of ["", "{", "[]", '{"schema":2,"apps":[]}', '{"schema":1}']) {
      await Deno.writeTextFile(path, text);
      await assert.rejects(AppRegistry.open(path), {
        kind: "invalid",
        message: /registry of apps cannot be read/,
      });
    }
    await Deno.writeTextFile(path, '{"schema":1,"apps":[]}');
    await Deno.writeTextFile(`${path}.abc.new`, "half");
    assert.deepEqual((await AppRegistry.open(path)).all(), []);
    await assert.rejects(Deno.stat(`${path}.abc.new`));
  }));
