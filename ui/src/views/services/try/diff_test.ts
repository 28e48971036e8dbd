import assert from "node:assert/strict";
import { difference, likeness, type Piece } from "./diff.ts";

function sideOf(pieces: readonly Piece[], side: "left" | "right"): string {
  return pieces.map((one) => one[side]).join("");
}

Deno.test("words that differ stand out, and both sides can be read from it", () => {
  const [left, right] = ["Total 904.04\nNet total", "Total 904.O4\n\nNet  total due"];
  const pieces = difference(left, right);
  assert.deepEqual(pieces.map(({ side, left, right }) => [side, left, right]), [
    ["both", "Total ", "Total "],
    ["left", "904.04\n", ""],
    ["right", "", "904.O4\n\n"],
    ["both", "Net total", "Net  total "],
    ["right", "", "due"],
  ]);
  assert.equal(sideOf(pieces, "left"), left);
  assert.equal(sideOf(pieces, "right"), right);
});

Deno.test("what is the same is one piece, and nothing is like nothing", () => {
  assert.deepEqual(difference("a b c", "a  b\nc"), [{ side: "both", left: "a b c", right: "a  b\nc" }]);
  assert.deepEqual(difference("", ""), []);
  assert.equal(likeness(difference("", "")), 1);
  assert.equal(likeness(difference("a b", "a c")), 0.5);
});

Deno.test("any two texts can be read back", () => {
  const words = ["a", "b", "c", " ", "\n"];
  let seed = 7;
  const next = () => seed = (seed * 1103515245 + 12345) % 2147483648;
  for (let round = 0; round < 200; round++) {
    const text = () => Array.from({ length: next() % 30 }, () => words[next() % words.length]).join("");
    const [left, right] = [text(), text()];
    const pieces = difference(left, right);
    assert.equal(sideOf(pieces, "left"), left);
    assert.equal(sideOf(pieces, "right"), right);
  }
});

Deno.test("long texts are compared by lines, in time", () => {
  const line = (n: number) => `line ${n} with some words\n`;
  const left = Array.from({ length: 5000 }, (_, n) => line(n)).join("");
  const right = left.replace("line 2500 ", "line X ");
  const pieces = difference(left, right);
  assert.equal(sideOf(pieces, "right"), right);
  assert.equal(pieces.length, 4);
});
