import assert from "node:assert/strict";
import { freezeProblems, publish, readPublished } from "./published.ts";

const HASH_A = "a".repeat(64);
const HASH_B = "b".repeat(64);
const one = (id: string, hash: string) => ({ id, hash, folder: `/interfaces/${id}` });

Deno.test("publishing writes the hash once and sorted; the same again is fine", async () => {
  const folder = await Deno.makeTempDir();
  await publish(folder, one("ocr/v1", HASH_A));
  await publish(folder, one("llm/v1", HASH_B));
  await publish(folder, one("ocr/v1", HASH_A));
  assert.deepEqual(Object.keys(await readPublished(folder)), ["llm/v1", "ocr/v1"]);
});

Deno.test("a published version is never published anew", async () => {
  const folder = await Deno.makeTempDir();
  await publish(folder, one("ocr/v1", HASH_A));
  await assert.rejects(publish(folder, one("ocr/v1", HASH_B)), { kind: "conflict", hint: /ocr\/v2/ });
  assert.deepEqual(await readPublished(folder), { "ocr/v1": HASH_A });
});

Deno.test("a changed, a missing and an unpublished version are told apart", () => {
  const published = { "ocr/v1": HASH_A, "llm/v1": HASH_A };
  const found = freezeProblems(published, [one("ocr/v1", HASH_B), one("tts/v1", HASH_A)], { all: true });
  assert.deepEqual(found.map(({ kind, message }) => [kind, message.slice(0, 40)]), [
    ["conflict", "the published interface ocr/v1 is frozen"],
    ["invalid", "the published interface llm/v1 is gone o"],
    ["invalid", "the interface tts/v1 is not published"],
  ]);
  assert.deepEqual(freezeProblems({}, [one("tts/v1", HASH_A)], { all: false }), []);
});

for (const text of ["{", "[]", '{"ocr/v1": 1}', '{"ocr": "' + HASH_A + '"}', '{"ocr/v1": "abc"}']) {
  Deno.test(`published.json ${text.slice(0, 20)} is refused`, async () => {
    const folder = await Deno.makeTempDir();
    await Deno.writeTextFile(`${folder}/published.json`, text);
    await assert.rejects(readPublished(folder), /must be/);
  });
}
