import assert from "node:assert/strict";
import { createFile, readChunks } from "./file_stream.ts";

async function* pieces(fail: boolean): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode("one\n"));
  if (fail) throw new Error("broke");
  yield new TextEncoder().encode("two\n");
}

Deno.test("a file is written out of pieces and read in pieces, once and whole", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await createFile(`${folder}/a`, pieces(false));
    let text = "";
    for await (const chunk of await readChunks(`${folder}/a`)) text += new TextDecoder().decode(chunk);
    assert.equal(text, "one\ntwo\n");
    await assert.rejects(createFile(`${folder}/a`, pieces(false)), { kind: "conflict" });
    await assert.rejects(createFile(`${folder}/b`, pieces(true)), /broke/);
    await assert.rejects(createFile(`${folder}/none/c`, pieces(false)), { kind: "not_found" });
    await assert.rejects(readChunks(`${folder}/b`), { kind: "not_found" });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
