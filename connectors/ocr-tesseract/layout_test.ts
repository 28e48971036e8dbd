import assert from "node:assert/strict";
import { readingOf } from "./layout.ts";

const row = (...cells: (string | number)[]) => cells.join("\t");
const PAGE = row(1, 1, 0, 0, 0, 0, 0, 0, 1654, 2339, -1, "");
const line = (block: number, left: number, top: number) =>
  row(4, 1, block, 1, 1, 0, left, top, 100, 20, -1, "");
const word = (text: string, confidence: number) => row(5, 1, 1, 1, 1, 1, 0, 0, 10, 10, confidence, text);

Deno.test("words become lines, lines blocks with left, top, right and bottom", () => {
  const { page } = readingOf(
    [PAGE, line(1, 10, 20), word("Net", 96), word("total", 94), line(2, 10, 60), word("904.04", 90)].join(
      "\n",
    ),
  );
  assert.equal(page.text, "Net total\n\n904.04\n");
  assert.deepEqual(page.blocks, [
    { text: "Net total", bbox: [10, 20, 110, 40] },
    { text: "904.04", bbox: [10, 60, 110, 80] },
  ]);
  assert.deepEqual([page.width, page.height], [1654, 2339]);
});

Deno.test("lines of dirt and lines without words are left out", () => {
  const { page } = readingOf(
    [PAGE, line(1, 0, 0), word("~", 3), word("|;", 20), line(1, 0, 30), line(1, 0, 60), word("text", 80)]
      .join("\n"),
  );
  assert.equal(page.text, "text\n");
});

Deno.test("confidence weighs words by their length, and only sure letters and digits count", () => {
  const reading = readingOf([PAGE, line(1, 0, 0), word("abcdefgh!", 90), word("x", 40)].join("\n"));
  assert.equal(reading.confidence, (9 * 90 + 40) / 10);
  assert.equal(reading.sureLetters, 8);
  assert.deepEqual(readingOf(PAGE), {
    page: { text: "", blocks: [], width: 1654, height: 2339 },
    confidence: 0,
    sureLetters: 0,
  });
});
