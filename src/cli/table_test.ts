import assert from "node:assert/strict";
import { pairs, table } from "./table.ts";
import { cut, oneLine, plain, widthOf, wrap } from "./text.ts";

const COLUMNS = [{ title: "NAME" }, { title: "MS", align: "right" }, { title: "WHAT", cut: true }] as const;

Deno.test("columns are as wide as they need, numbers to the right, nothing behind the last", () => {
  const text = table(COLUMNS, [["a", "5", "x"], ["longer", "1200", ""]], undefined);
  assert.equal(text, "NAME      MS  WHAT\na          5  x\nlonger  1200\n");
});

Deno.test("a narrow terminal cuts what may be cut, and no further than that", () => {
  const rows = [["name", "5", "a long description of it"]];
  assert.equal(table(COLUMNS, rows, 24), "NAME  MS  WHAT\nname   5  a long descri…\n");
  assert.equal(table(COLUMNS, rows, 5), "NAME  MS  WHAT\nname   5  a long …\n");
});

Deno.test("characters count as a terminal shows them", () => {
  assert.equal(widthOf("naïve"), 5);
  assert.equal(widthOf("日本"), 4);
  assert.equal(widthOf("🙂"), 2);
  assert.deepEqual(["👩‍👩‍👧‍👦", "👍🏽", "🇩🇪", "❤️", "é", "क्‍ष"].map(widthOf), [2, 2, 2, 2, 1, 2]);
  assert.equal(cut("👩‍👩‍👧‍👦👍🏽 yes", 4), "👩‍👩‍👧‍👦…");
  assert.equal(cut("日本語です", 5), "日本…");
  assert.equal(
    table(COLUMNS, [["日本", "1", "x"], ["ab", "2", "y"]], undefined),
    "NAME  MS  WHAT\n日本   1  x\nab     2  y\n",
  );
});

Deno.test("text of others cannot steer the terminal or turn the direction", () => {
  assert.equal(plain("a\u001b[31mb\u202ec\r\nd\te\u0000"), "a\ufffd[31mb\ufffdc\nd\te\ufffd");
  assert.equal(plain("👩‍👧 क्‍ष"), "👩‍👧 क्‍ष");
  assert.equal(oneLine(" two\n lines \t here"), "two lines here");
});

Deno.test("pairs stand in two columns, further lines of a value below it", () => {
  assert.equal(pairs([["a", "1"], ["longer", "x\ny"]]), "a       1\nlonger  x\n        y\n");
});

Deno.test("words are laid out in lines", () => {
  assert.equal(wrap("one two three four", 9), "one two\nthree\nfour");
  assert.equal(wrap("averylongword b", 5), "averylongword\nb");
});
