import assert from "node:assert/strict";

Deno.test("the thread host loads no module of Node's: each costs more than all of its own start", async () => {
  const found: string[] = [];
  const walk = async (folder: URL) => {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      if (isDirectory) await walk(new URL(`${name}/`, folder));
      else if (/(?<!_test)\.ts$/.test(name)) {
        const text = await Deno.readTextFile(new URL(name, folder));
        for (const [, module = ""] of text.matchAll(/^import (?!type).*from "(node:[^"]+)"/gm)) {
          found.push(module);
        }
      }
    }
  };
  await walk(new URL("./", import.meta.url));
  await walk(new URL("../spec/", import.meta.url));
  assert.deepEqual(found, []);
});
