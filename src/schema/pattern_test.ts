import assert from "node:assert/strict";
import { patternProblem } from "./pattern.ts";

const LINEAR = [
  "",
  "foo",
  "^[a-z]{2}$",
  "^[a-z](?:[a-z0-9-]{0,38}[a-z0-9])?$",
  "^https?://[^/]+/.*$",
  "^[\\w.]+@[\\w.]+$",
  "^.*\\.pdf$",
  "^\\d{4}-\\d{2}-\\d{2}$",
  "^(?:[A-Z][a-z]*)+$",
  '^([^"\\\\]|\\\\.)*$',
  "^([a-z]+)(-[a-z]+)*$",
  "^\\p{L}+$",
  "^\\S+$",
  "^[\\s\\S]*$",
  "^(?<year>\\d+)/\\u{1F601}+\\ud83d\\ude00\\x41\\cA\\0[\\b\\]^-]*$",
  "^(?:a|b|ab)(?:c|bcd)d*$",
  "^a|^b+$",
  "^[^\\d]*[\\d]$",
  "^(?:\\d{1,3}\\.){3}\\d{1,3}$",
  "^a{0}b*$",
];

const SLOW: readonly (readonly [string, RegExp])[] = [
  ["^(a+)+$", /inside a repetition/],
  ["^(a*)*$", /inside a repetition/],
  ["^(a|a)*$", /inside a repetition/],
  ["^(a|aa)+$", /inside a repetition/],
  ["^(\\w+\\s?)*$", /inside a repetition/],
  ["^(x+x+)+y$", /inside a repetition/],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", /inside a repetition/],
  ["^((a?b?)*c)*$", /inside a repetition/],
  ["^(?:.*a)*$", /inside a repetition/],
  ["^a*a*$", /two repetitions/],
  ["^.*a.*$", /two repetitions/],
  ["^(?:a*){3}$", /two repetitions|inside/],
  ["^\\p{L}+\\p{N}+$", /two repetitions/],
  ["^\\u{61}+\\x61+$", /two repetitions/],
  ["\\s+$", /begin with "\^"/],
  ["a|^b+", /begin with "\^"/],
  ["^(a?){30}a{30}$", /too many ways/],
  ["^(a{0,5}){0,5}$", /too many ways/],
  ["^(.)\\1$", /a back reference/],
  ["^(?<x>.)\\k<x>$", /a back reference/],
  ["^(?=a)b", /looking ahead/],
  ["^(?<!a)b", /looking behind/],
  ["^(?i:a)$", /flags inside|regular expression/],
  ["(", /must be a regular expression/],
  ["^" + "a".repeat(1001), /at most 1000/],
  ["^" + "(".repeat(60) + "a" + ")".repeat(60), /at most 50 deep/],
];

for (const pattern of LINEAR) {
  Deno.test(`linear: ${pattern}`, () => assert.equal(patternProblem(pattern), undefined));
}

for (const [pattern, why] of SLOW) {
  Deno.test(`refused: ${pattern.slice(0, 40)}`, () => assert.match(patternProblem(pattern) ?? "", why));
}

Deno.test("what is accepted is quick on texts made to be slow", () => {
  const pieces = ["a", "a.", "A", "-", "1", "1.", "/", "@", "b", " ", "\\", '"', "é", "ab", "aA"];
  const start = performance.now();
  for (const pattern of LINEAR) {
    const test = new RegExp(pattern, "u");
    for (const piece of pieces) {
      test.test(piece.repeat(20_000) + "\n!");
      test.test("http://" + piece.repeat(20_000) + "\u0000");
    }
  }
  assert.ok(performance.now() - start < 10_000, `${performance.now() - start} ms`);
});

Deno.test("the analysis itself is quick for patterns made to be slow", () => {
  const start = performance.now();
  for (const [open, close] of [["(", ")*"], ["(", "){0,3}"], ["(a|", ")*"], ["(a?", ")+"]]) {
    patternProblem("^" + open?.repeat(50) + "a" + close?.repeat(50));
  }
  patternProblem(
    `^(${Array.from({ length: 250 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join("|")})*$`,
  );
  patternProblem("^" + "a?".repeat(490));
  patternProblem("^" + "a*".repeat(490));
  assert.ok(performance.now() - start < 5000);
});
