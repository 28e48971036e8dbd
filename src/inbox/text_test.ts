import assert from "node:assert/strict";
import { cleanText, cleanTitle } from "./text.ts";

Deno.test("nothing stays that steers a terminal, turns the direction or hides", () => {
  assert.equal(cleanTitle("\x1b[31mred\x07 \u202egpj.exe\u2066\u200e\ufeff\u061c"), "[31mred gpj.exe");
  assert.equal(cleanTitle("a\u2028b\u2029c\ud800d"), "abcd");
  assert.equal(cleanTitle("hid\u{e0041}\u{e0042}den"), "hidden");
  assert.equal(cleanText("one\r\ntwo\rthree\n\n\n\n\tfour\0"), "one\ntwo\nthree\n\n\tfour");
});

Deno.test("what languages and emojis are written with stays", () => {
  for (const text of ["می\u200cخواهم", "👩\u200d👩\u200d👧", "é", "e\u0301", "नमस्ते", "日本語"]) {
    assert.equal(cleanTitle(text), text);
  }
  assert.equal(cleanTitle("Z" + "\u0301".repeat(50)), "Z" + "\u0301".repeat(4));
});

Deno.test("a title is one line, both are bounded by whole letters", () => {
  assert.equal(cleanTitle("  a\n\n b\t c "), "a b c");
  assert.equal(cleanTitle("😀".repeat(200)), "😀".repeat(119) + "…");
  assert.equal([...cleanText("x ".repeat(5000))].length <= 2000, true);
});
