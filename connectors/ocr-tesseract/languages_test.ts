import assert from "node:assert/strict";
import { dataFor } from "./languages.ts";

Deno.test("known codes are taken in order and once, others are passed over", () => {
  assert.deepEqual(dataFor(["de", "qq", "en", "de"], ["fr"]), ["deu", "eng"]);
});

Deno.test("where no code is known the fallback counts, and it must be known", () => {
  assert.deepEqual(dataFor(["qq"], ["fr", "xx"]), ["fra"]);
  assert.deepEqual(dataFor([], ["it"]), ["ita"]);
  assert.throws(() => dataFor(["qq"], ["xx"]), /OCR_LANGUAGES/);
});
