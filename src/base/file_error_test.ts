import assert from "node:assert/strict";
import fs from "node:fs";
import { asHandlerError } from "./error.ts";

async function told(work: () => unknown): Promise<readonly [string, string]> {
  try {
    await work();
  } catch (thrown) {
    const { kind, message } = asHandlerError(thrown, "tried");
    return [kind, message];
  }
  throw new Error("nothing was thrown");
}

Deno.test("what the file system says of a path is told in words", async () => {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/it's here`;
  await Deno.writeTextFile(file, "");
  assert.deepEqual(await told(() => Deno.readTextFile(`${folder}/no`)), [
    "not_found",
    `there is no ${folder}/no`,
  ]);
  assert.deepEqual(await told(() => fs.readFileSync(`${folder}/no`)), [
    "not_found",
    `there is no ${folder}/no`,
  ]);
  assert.deepEqual(await told(() => Deno.mkdir(file)), ["conflict", `${file} is there already`]);
  assert.equal((await told(() => Deno.readTextFile(`${file}/below`)))[0], "invalid");
  assert.deepEqual(await told(() => fs.readFileSync(folder)), ["invalid", `${folder} is a folder`]);
});

Deno.test("any other error keeps its words", async () => {
  assert.deepEqual(await told(() => Promise.reject(new Error("odd, open 'x'"))), [
    "internal",
    "tried: odd, open 'x'",
  ]);
  assert.deepEqual(await told(() => Promise.reject(new Deno.errors.NotFound("gone"))), [
    "internal",
    "tried: gone",
  ]);
});
