import assert from "node:assert/strict";
import { plainText } from "./markdown.ts";

const CASES: readonly (readonly [what: string, markdown: string, text: string])[] = [
  ["headings", "# INVOICE\n\n## Bill to:", "INVOICE\n\nBill to:"],
  [
    "emphasis",
    "**Total** due *GBP* __1,084.85__ and snake_case_name, 2 * 3 * 4",
    "Total due GBP 1,084.85 and snake_case_name, 2 * 3 * 4",
  ],
  [
    "a table",
    "| Item | Amount |\n| --- | ---: |\n| Lamp \\| LED | 31.99 |",
    "Item  Amount\nLamp | LED  31.99",
  ],
  [
    "images go, links keep their words",
    "![img-0.jpeg](img-0.jpeg)\nSee [the terms](https://x.example/y).",
    "See the terms.",
  ],
  ["escapes and entities", "10\\% of 5 \\* 3 &amp; more", "10% of 5 * 3 & more"],
  ["lists stay lists", "- one\n- two\n1. three", "- one\n- two\n1. three"],
  ["rules and blank runs", "a\n\n---\n\n\n\nb", "a\n\nb"],
  ["a page without text", "  \n", ""],
  ["line breaks", "one<br>two\r\nthree", "one\ntwo\nthree"],
  ["quotes and code", "> said\n```\nx = `y`\n```", "said\nx = y"],
];

for (const [what, markdown, text] of CASES) {
  Deno.test(`plain text of markdown: ${what}`, () => assert.equal(plainText(markdown), text));
}

Deno.test("long hostile lines are done in no time", () => {
  const began = performance.now();
  for (const piece of ["*_", "|", "[", "![", "**a ", "`", "- ", "#", "<br", "\\"]) {
    plainText(piece.repeat(50_000));
  }
  assert.ok(performance.now() - began < 20_000);
});
