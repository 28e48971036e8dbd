import assert from "node:assert/strict";
import { ansiPieces, ansiText } from "./ansi.ts";

Deno.test("colours and weight become classes", () => {
  assert.deepEqual(ansiPieces("a \x1b[1;31mred\x1b[0m b \x1b[92mgreen\x1b[39m c"), [
    { text: "a ", classes: [] },
    { text: "red", classes: ["bold", "c1"] },
    { text: " b ", classes: [] },
    { text: "green", classes: ["c2"] },
    { text: " c", classes: [] },
  ]);
});

Deno.test("what would move a cursor, set a title or ring is left out", () => {
  const moves = "\x1b[2J\x1b[10;5Hhello\x07\x1b]0;title\x07 there\x1b[K\x1b(B";
  assert.equal(ansiText(moves), "hello there");
  assert.equal(ansiText("10 %\r20 %\r30 %\r"), "30 %");
  assert.equal(ansiText("plain\ttext"), "plain\ttext");
});
