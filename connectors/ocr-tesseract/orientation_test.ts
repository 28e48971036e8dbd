import assert from "node:assert/strict";
import type { Reading } from "./layout.ts";
import { readUpright, turned } from "./orientation.ts";

const reading = (text: string, confidence: number, sureLetters: number): Reading => ({
  page: { text, blocks: [], width: 1, height: 1 },
  confidence,
  sureLetters,
});

Deno.test("quarter turns lead through EXIF's orientations, mirrored ones among themselves", () => {
  assert.deepEqual([0, 1, 2, 3, 4].map((quarters) => turned(1, quarters)), [1, 6, 3, 8, 1]);
  assert.deepEqual([0, 1, 2, 3].map((quarters) => turned(8, quarters)), [8, 1, 6, 3]);
  assert.deepEqual([0, 1, 2, 3].map((quarters) => turned(2, quarters)), [2, 7, 4, 5]);
});

Deno.test("a page that reads well is read once", () => {
  const tried: number[] = [];
  const found = readUpright((orientation) => {
    tried.push(orientation);
    return reading("good", 94, 500);
  }, 6);
  assert.equal(found.page.text, "good");
  assert.deepEqual(tried, [6]);
});

Deno.test("a page that reads badly is turned until it reads well", () => {
  const tried: number[] = [];
  const found = readUpright((orientation) => {
    tried.push(orientation);
    return orientation === 6 ? reading("good", 90, 500) : reading("bad", 40, 3);
  }, 1);
  assert.equal(found.page.text, "good");
  assert.deepEqual(tried, [1, 3, 6]);
});

Deno.test("where nothing reads well the most sure letters count, the page as it is first", () => {
  const letters: Record<number, number> = { 1: 5, 3: 9, 6: 9, 8: 2 };
  assert.equal(readUpright((at) => reading(String(at), 50, letters[at] ?? 0), 1).page.text, "3");
  assert.equal(readUpright((at) => reading(String(at), 50, 7), 1).page.text, "1");
});
