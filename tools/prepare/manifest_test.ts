import assert from "node:assert/strict";
import { readManifest, writeManifest } from "./manifest.ts";

Deno.test("a manifest is read as it was written; a broken or foreign one is as good as none", async () => {
  const build = await Deno.makeTempDir({ prefix: "manifest-" });
  try {
    assert.deepEqual(await readManifest(build), { schema: 1, units: {} });
    const manifest = {
      schema: 1,
      units: { guest: { inputs: "aa", outputs: { "guest/kit.js": "bb" } } },
    } as const;
    await writeManifest(build, manifest);
    assert.deepEqual(await readManifest(build), manifest);
    for (const text of ["{", "[]", '{"schema":2,"units":{}}']) {
      await Deno.writeTextFile(`${build}/manifest.json`, text);
      assert.deepEqual(await readManifest(build), { schema: 1, units: {} }, text);
    }
  } finally {
    await Deno.remove(build, { recursive: true });
  }
});
