import assert from "node:assert/strict";
import { utf8 } from "../base/mod.ts";
import { wholeCharacters } from "./utf8.ts";

Deno.test("a character that is cut off is left for later, whatever its length", () => {
  const text = "aß鍵🗝";
  const bytes = utf8(text);
  const ends = [1, 1, 3, 3, 3, 6, 6, 6, 6, 10];
  assert.deepEqual(ends.map((_, index) => wholeCharacters(bytes.subarray(0, index + 1))), [
    1,
    1,
    3,
    3,
    3,
    6,
    6,
    6,
    6,
    10,
  ]);
  assert.equal(wholeCharacters(new Uint8Array()), 0);
});

Deno.test("bytes that are no UTF-8 are not waited for", () => {
  assert.equal(wholeCharacters(new Uint8Array([0x80, 0x80, 0x80, 0x80])), 4);
  assert.equal(wholeCharacters(new Uint8Array([0x41, 0xc3, 0x41])), 3);
});
