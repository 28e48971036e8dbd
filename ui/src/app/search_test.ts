import assert from "node:assert/strict";
import { score } from "./search.ts";

Deno.test("the palette finds by letters in order, the beginnings of words first", () => {
  assert.equal(score("Services", "xyz"), 0);
  assert.equal(score("Services", ""), 1);
  assert.ok(score("ocr/v1 Service", "ocr") > score("mediocre Service", "ocr"));
  assert.ok(score("Settings Place", "sp") > score("Clasp", "sp") / 1000);
  assert.ok(score("my-notes App", "mn") > 0);
});

Deno.test("what stands there as it was typed comes before letters that are strewn", () => {
  assert.ok(score("notes", "note") > score("nice to eat", "note"));
});
