import assert from "node:assert/strict";
import { exchange, programFiles, putBack, putInPlace } from "./swap.ts";

Deno.test("a program is replaced, brought back and exchanged, and is never missing", async () => {
  const folder = await Deno.makeTempDir();
  const files = programFiles(`${folder}/handlerd`);
  const read = (path: string) => Deno.readTextFile(path);
  await Deno.writeTextFile(files.program, "one");
  await assert.rejects(exchange(files), /no program before this one/);
  await Deno.writeTextFile(files.fresh, "two");
  await putInPlace(files);
  assert.deepEqual([await read(files.program), await read(files.before)], ["two", "one"]);
  await exchange(files);
  assert.deepEqual([await read(files.program), await read(files.before)], ["one", "two"]);
  await putBack(files);
  assert.equal(await read(files.program), "two");
  assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["handlerd"]);
  await Deno.remove(folder, { recursive: true });
});
