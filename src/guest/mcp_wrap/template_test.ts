import assert from "node:assert/strict";
import type { Json } from "../../base/mod.ts";
import { fill } from "./template.ts";

const SOURCE = {
  data: {
    pages: [{ markdown: "one", box: [1, 2] }, { markdown: "two" }],
    "a/b": { "c~d": 7 },
    none: null,
    lines: ["x", "y"],
  },
  content: [{ type: "text", text: "hello" }, { type: "text", text: "there" }],
  text: "hello\nthere",
};

const CASES: readonly (readonly [what: string, template: unknown, result: Json | undefined])[] = [
  ["no template hands the data on", undefined, SOURCE.data],
  ["a pointer", { first: "/pages/0/markdown" }, { first: "one" }],
  ["a pointer with escapes", "/a~1b/c~0d", 7],
  ["null is found", { none: "/none" }, { none: null }],
  ["what is not found is left out", { gone: "/nope/deeper", kept: "/none" }, { kept: null }],
  ["nothing found at all", "/nope", undefined],
  ["a list from a list", { pages: { $each: "/pages", text: "/markdown", box: "/box" } }, {
    pages: [{ text: "one", box: [1, 2] }, { text: "two" }],
  }],
  ["a list of what is no object", { $each: "/lines", $as: { word: "$value" } }, [{ word: "x" }, {
    word: "y",
  }]],
  ["elements as they are", { $each: "/lines", $as: "$value" }, ["x", "y"]],
  ["no list, no result", { pages: { $each: "/none", text: "/x" } }, {}],
  ["the joined text", { pages: [{ text: "$text" }] }, { pages: [{ text: "hello\nthere" }] }],
  ["the content blocks", { pages: { $each: "$content", text: "/text" } }, {
    pages: [{ text: "hello" }, { text: "there" }],
  }],
  ["literals", { a: 1, b: true, c: null, d: "plain", e: { $literal: "/not a pointer" } }, {
    a: 1,
    b: true,
    c: null,
    d: "plain",
    e: "/not a pointer",
  }],
  ["no way into what an object inherits", { bad: "/constructor", worse: "/pages/length" }, {}],
];

for (const [what, template, result] of CASES) {
  Deno.test(`a result template: ${what}`, () => assert.deepEqual(fill(template, SOURCE), result));
}
