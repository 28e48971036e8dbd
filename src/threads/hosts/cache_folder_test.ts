import assert from "node:assert/strict";
import { readyCache } from "./cache_folder.ts";

Deno.test("a cache is kept while it is small, and thrown away when it is not", async () => {
  const root = await Deno.makeTempDir();
  try {
    const cache = `${root}/cache`;
    await readyCache(cache);
    Deno.mkdirSync(`${cache}/gen/file`, { recursive: true });
    Deno.writeTextFileSync(`${cache}/gen/file/a.js`, "1");
    await readyCache(cache);
    assert.equal(Deno.readTextFileSync(`${cache}/gen/file/a.js`), "1");
    await Deno.truncate(`${cache}/gen/file/a.js`, 129 * 1024 * 1024);
    await readyCache(cache);
    assert.deepEqual([...Deno.readDirSync(cache)], []);
    assert.equal((Deno.statSync(cache).mode ?? 0) & 0o777, 0o777);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
