import assert from "node:assert/strict";
import { type Character, isTextLayer, linesOf, type PointBox } from "./text_layer.ts";

/** Each letter ten points wide, each line 20 high, on a page 100 high. */
function characters(text: string): Character[] {
  let line = 0, column = 0;
  return Array.from(text, (letter) => {
    const code = letter.codePointAt(0) ?? 0;
    if (letter === "\n") {
      line++;
      column = 0;
      return { code, unmapped: false, box: undefined };
    }
    const left = 10 * column++, top = 100 - 20 * line;
    return { code, unmapped: false, box: [left, top - 20, left + 10, top] as const };
  });
}

/** One pixel a point. */
const toPixels = ([left, bottom, right, top]: PointBox) => [left, 100 - top, right, 100 - bottom] as const;

Deno.test("a page's text is taken when there is enough of it for the page", () => {
  assert.ok(isTextLayer(characters("A letter of some few lines."), 0));
  assert.ok(!isTextLayer(characters("Page 1"), 0));
  assert.ok(!isTextLayer(characters("Scanned on 3 May 2024 by the front desk"), 0.95));
  assert.ok(isTextLayer(characters("words of a scanner's own reading ".repeat(10)), 0.95));
});

Deno.test("text that cannot be read is no text", () => {
  const broken = characters("words that stand in a broken font").map((character, at) =>
    at % 4 === 0 ? { ...character, code: 0xe000 + at } : character
  );
  assert.ok(!isTextLayer(broken, 0));
  assert.ok(!isTextLayer(characters("words that nobody knows").map((c) => ({ ...c, unmapped: true })), 0));
});

Deno.test("lines become text and blocks; spaces are single, empty lines go", () => {
  const page = linesOf(characters("Net   total\r\n\n 904.04 "), toPixels);
  assert.equal(page.text, "Net total\n904.04\n");
  assert.deepEqual(page.blocks, [
    { text: "Net total", bbox: [0, 0, 110, 20] },
    { text: "904.04", bbox: [10, 40, 70, 60] },
  ]);
});

Deno.test("a hyphen at the end of a line stays a hyphen", () => {
  assert.equal(linesOf(characters("docu\x02\nment"), toPixels).text, "docu-\nment\n");
});
