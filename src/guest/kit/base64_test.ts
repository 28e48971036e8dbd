import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { encodeBase64 } from "./base64.ts";

Deno.test("base64 is the same as the platform's, at every length around a piece", () => {
  for (const length of [0, 1, 2, 3, 4, 12_287, 12_288, 12_289, 100_000]) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31) & 255);
    assert.equal(encodeBase64(bytes), Buffer.from(bytes).toString("base64"), `${length} bytes`);
  }
});
