import assert from "node:assert/strict";
import { checkJson } from "./strict_json.ts";

Deno.test("JSON passes, members that are undefined too", () => {
  const shared = { x: 1 };
  const bare = Object.assign(Object.create(null), { y: [true, null, "t"] });
  checkJson({ a: [1, -0.5, shared, shared], b: undefined, c: bare }, "value");
});

Deno.test("what JSON would change is refused by its place", () => {
  const circle: unknown[] = [];
  circle.push({ again: circle });
  const refused: readonly (readonly [unknown, RegExp])[] = [
    [{ a: [1, NaN] }, /^TypeError: value\.a\[1\] is NaN/],
    [-Infinity, /value is -Infinity/],
    [circle, /value\[0\]\.again lies inside itself/],
    [{ at: new Date(0) }, /value\.at is an instance of Date/],
    [new Map(), /instance of Map/],
    [{ [Symbol("s")]: 1 }, /symbol as a key/],
    [{ f: () => 1 }, /value\.f is a function/],
    [10n, /value is a bigint/],
    [[undefined], /value\[0\] is undefined/],
  ];
  for (const [value, words] of refused) assert.throws(() => checkJson(value, "value"), words);
});
