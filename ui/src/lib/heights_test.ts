import assert from "node:assert/strict";
import { Heights } from "./heights.ts";

Deno.test("rows stand where the heights of those before them say", () => {
  const heights = new Heights(10);
  heights.lay(["a", "b", "c", "d", "e"]);
  assert.equal(heights.top(5), 50);
  assert.ok(heights.measure("b", 30));
  assert.ok(!heights.measure("b", 30.2));
  assert.deepEqual([0, 1, 2, 3, 4, 5].map((at) => heights.top(at)), [0, 10, 40, 50, 60, 70]);
  assert.deepEqual([-5, 0, 9, 10, 39, 40, 69, 70, 500].map((at) => heights.at(at)), [
    0,
    0,
    0,
    1,
    1,
    2,
    4,
    4,
    4,
  ]);
});

Deno.test("what was measured is kept when rows come before the others", () => {
  const heights = new Heights(10);
  heights.lay(["b", "c"]);
  heights.measure("c", 25);
  heights.measure("elsewhere", 7);
  heights.lay(["x", "elsewhere", "b", "c"]);
  assert.deepEqual([0, 1, 2, 3, 4].map((at) => heights.top(at)), [0, 10, 17, 27, 52]);
  assert.equal(heights.indexOf("b"), 2);
  assert.equal(heights.indexOf("gone"), undefined);
  heights.lay([]);
  assert.deepEqual([heights.top(0), heights.at(10), heights.count], [0, 0, 0]);
});

Deno.test("among many random heights each place is that of a plain sum", () => {
  const heights = new Heights(20);
  const keys = Array.from({ length: 1000 }, (_, at) => `k${at}`);
  heights.lay(keys);
  const plain = keys.map((key, at) => {
    const height = 5 + (at * 7919) % 113;
    heights.measure(key, height);
    return height;
  });
  let sum = 0;
  for (const [at, height] of plain.entries()) {
    assert.equal(heights.top(at), sum);
    assert.equal(heights.at(sum), at);
    assert.equal(heights.at(sum + height - 1), at);
    sum += height;
  }
});
