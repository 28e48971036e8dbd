import assert from "node:assert/strict";
import { HandlerError } from "../base/mod.ts";
import { placeAll, stageInside, type WaitingFile, writeInside } from "./scoped_write.ts";

async function* bytes(text: string): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode(text));
}

/** Every name in a folder with what it holds. */
async function contents(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { name, isFile } of Deno.readDir(folder)) {
    found[name] = isFile ? await Deno.readTextFile(`${folder}/${name}`) : "no file";
  }
  return found;
}

/** Stages one file for each path, lets `meanwhile` happen, places them, and gives the error if there is one. */
async function placed(folder: string, paths: readonly string[], meanwhile: () => Promise<void>) {
  await using stack = new AsyncDisposableStack();
  const files: WaitingFile[] = [];
  for (const path of paths) files.push(stack.use(await stageInside(folder, path, bytes(`new ${path}`))));
  await meanwhile();
  try {
    await placeAll(files, (file, error) => [files.indexOf(file), error]);
  } catch (failed) {
    return failed as [number, HandlerError];
  }
  return undefined;
}

Deno.test("several files get their places together and nothing else is left", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/b`, "old b");
  assert.equal(await placed(folder, ["a", "b", "c"], async () => {}), undefined);
  assert.deepEqual(await contents(folder), { a: "new a", b: "new b", c: "new c" });
});

Deno.test("where a later file cannot be placed the earlier ones are as they were", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/old`, "old");
  const before = await Deno.stat(`${folder}/old`);
  const failed = await placed(folder, ["fresh", "old", "last"], () => Deno.mkdir(`${folder}/last`));
  assert.equal(failed?.[0], 2);
  assert.equal(failed?.[1].kind, "denied");
  assert.deepEqual(await contents(folder), { old: "old", last: "no file" });
  assert.equal((await Deno.stat(`${folder}/old`)).ino, before.ino);
});

Deno.test("one path for two files is undone whole", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/same`, "old");
  await Deno.mkdir(`${folder}/gone`);
  const failed = await placed(folder, ["same", "same", "gone/last"], async () => {
    await Deno.rename(`${folder}/gone`, `${folder}/moved`);
  });
  assert.equal(failed?.[1].kind, "not_found");
  const { moved: _, ...rest } = await contents(folder);
  assert.deepEqual(rest, { same: "old" });
});

Deno.test("a folder that was exchanged for a link is neither written through nor cleared through", async () => {
  const folder = await Deno.makeTempDir(), elsewhere = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/out`);
  await Deno.writeTextFile(`${elsewhere}/a`, "somebody's");
  const failed = await placed(folder, ["out/a", "out/b"], async () => {
    await Deno.rename(`${folder}/out`, `${folder}/was`);
    await Deno.symlink(elsewhere, `${folder}/out`);
  });
  assert.equal(failed?.[1].kind, "denied");
  assert.deepEqual(await contents(elsewhere), { a: "somebody's" });
});

Deno.test("one file is written whole or not at all", async () => {
  const folder = await Deno.makeTempDir();
  assert.equal(await writeInside(folder, "a", bytes("four")), 4);
  await assert.rejects(
    writeInside(
      folder,
      "a",
      async function* () {
        yield await Promise.resolve(new Uint8Array(3));
        throw new HandlerError("unavailable", "the connector is gone");
      }(),
    ),
    /the connector is gone/,
  );
  assert.deepEqual(await contents(folder), { a: "four" });
});
