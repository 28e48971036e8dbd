import assert from "node:assert/strict";
import { pack, unpack } from "./pack.ts";

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function makeSource(folder: string): Promise<void> {
  await Deno.mkdir(`${folder}/a/deep`, { recursive: true });
  await Deno.mkdir(`${folder}/b`);
  await Deno.writeTextFile(`${folder}/a/deep/ü.txt`, "one\ntwo\n");
  await Deno.writeFile(`${folder}/a/big.bin`, crypto.getRandomValues(new Uint8Array(60_000)));
  await Deno.writeTextFile(`${folder}/a/empty`, "");
  await Deno.writeTextFile(`${folder}/b/left.log`, "out");
}

Deno.test("what was packed is unpacked, once, and earlier packs go", async () => {
  await withFolder(async (folder) => {
    await makeSource(folder);
    const bytes = await pack(folder, ["a", "b"], (path) => path.endsWith(".log"));
    await Deno.writeFile(`${folder}/x.pack`, bytes);
    await Deno.mkdir(`${folder}/into/0123456789abcdef`, { recursive: true });
    const target = await unpack({ file: `${folder}/x.pack`, offset: 0 }, `${folder}/into`);
    for (const path of ["a/deep/ü.txt", "a/big.bin", "a/empty"]) {
      assert.deepEqual(await Deno.readFile(`${target}/${path}`), await Deno.readFile(`${folder}/${path}`));
    }
    assert.deepEqual([...Deno.readDirSync(`${folder}/into`)].map(({ name }) => name), [
      target.split("/").at(-1),
    ]);
    assert.ok(!await Deno.stat(`${target}/b`).catch(() => undefined));
    assert.equal(await unpack({ file: `${folder}/x.pack`, offset: 0 }, `${folder}/into`), target);
  });
});

Deno.test("a pack may lie in the midst of a file", async () => {
  await withFolder(async (folder) => {
    await makeSource(folder);
    const bytes = await pack(folder, ["a"], () => false);
    await Deno.writeFile(`${folder}/x`, new Uint8Array([...new Uint8Array(1234), ...bytes, 1, 2, 3]));
    const target = await unpack({ file: `${folder}/x`, offset: 1234 }, `${folder}/into`);
    assert.deepEqual(await Deno.readFile(`${target}/a/big.bin`), await Deno.readFile(`${folder}/a/big.bin`));
  });
});

Deno.test("two that unpack at once find the same folder", async () => {
  await withFolder(async (folder) => {
    await makeSource(folder);
    await Deno.writeFile(`${folder}/x.pack`, await pack(folder, ["a"], () => false));
    const [one, two] = await Promise.all([
      unpack({ file: `${folder}/x.pack`, offset: 0 }, `${folder}/into`),
      unpack({ file: `${folder}/x.pack`, offset: 0 }, `${folder}/into`),
    ]);
    assert.equal(one, two);
    assert.equal(await Deno.readTextFile(`${one}/a/deep/ü.txt`), "one\ntwo\n");
  });
});

Deno.test("a damaged pack leaves nothing", async () => {
  await withFolder(async (folder) => {
    await makeSource(folder);
    const bytes = await pack(folder, ["a"], () => false);
    bytes[bytes.length - 1]! ^= 1;
    await Deno.writeFile(`${folder}/x.pack`, bytes);
    await assert.rejects(unpack({ file: `${folder}/x.pack`, offset: 0 }, `${folder}/into`), /damaged/);
    await Deno.writeFile(`${folder}/x.pack`, bytes.subarray(0, bytes.length - 10));
    await assert.rejects(unpack({ file: `${folder}/x.pack`, offset: 0 }, `${folder}/into`), /damaged/);
    await Deno.writeTextFile(`${folder}/x.pack`, "no line");
    await assert.rejects(
      unpack({ file: `${folder}/x.pack`, offset: 0 }, `${folder}/into`),
      /no line that lists/,
    );
    assert.deepEqual([...Deno.readDirSync(`${folder}/into`)], []);
  });
});
