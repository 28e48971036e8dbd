import assert from "node:assert/strict";
import type { JsonObject } from "../../base/mod.ts";
import { allText, evaluate, valueAt } from "./evaluate.ts";
import type { Answer, OutputFile, PropertyRule } from "./expectation.ts";
import { messageFindings } from "./message.ts";

const PAGES = { pages: [{ text: "Invoice  INV-1\nTotal" }, { text: "Second" }] };
const result = (value: JsonObject): Answer => ({ kind: "result", value });
const failure = (code: string, message = "the file is damaged", detail?: string): Answer => ({
  kind: "error",
  code,
  message,
  detail,
  connectorAtFault: detail !== undefined,
});

function findings(
  rule: PropertyRule,
  value: JsonObject = PAGES,
  input: JsonObject = {},
  outputs = new Map<string, OutputFile>(),
) {
  return evaluate({ expect: { kind: "result", rules: [rule] }, input }, result(value), outputs)
    .map(({ at, message }) => `${at}: ${message}`);
}

Deno.test("counts hold at the path and say what was found", () => {
  assert.deepEqual(findings({ path: ["pages"], rule: "minItems", value: 2 }), []);
  assert.deepEqual(findings({ path: ["pages"], rule: "minItems", value: 3 }), [
    "expect.pages.minItems: at least 3 items are asked for, found 2",
  ]);
  assert.deepEqual(findings({ path: ["pages"], rule: "maxItems", value: 1 }), [
    "expect.pages.maxItems: at most 1 items are asked for, found 2",
  ]);
  assert.deepEqual(findings({ path: ["pages", "0", "text"], rule: "minItems", value: 1 }), [
    "expect.pages.0.text.minItems: the value there is not an array",
  ]);
});

Deno.test("contains looks at all text below, white space collapsed, case kept", () => {
  assert.deepEqual(findings({ path: [], rule: "contains", value: ["Invoice INV-1 Total Second"] }), []);
  assert.deepEqual(findings({ path: ["pages", "1"], rule: "contains", value: ["INV-1", "second"] }), [
    'expect.pages.1.contains: the text lacks "INV-1", "second"',
  ]);
});

Deno.test("matches takes the text as it is", () => {
  assert.deepEqual(findings({ path: ["pages", "0"], rule: "matches", value: "^Invoice {2}INV" }), []);
  assert.equal(findings({ path: ["pages", "0"], rule: "matches", value: "^Invoice INV" }).length, 1);
});

Deno.test("a number at the path is looked at as JSON writes it, one below it is not", () => {
  const value = { count: 3, pages: [{ text: "x", number: 42 }] };
  assert.deepEqual(findings({ path: ["count"], rule: "matches", value: "^3$" }, value), []);
  assert.equal(findings({ path: ["pages"], rule: "contains", value: ["42"] }, value).length, 1);
});

Deno.test("a path to nothing is a finding, an inherited name is nothing", () => {
  assert.deepEqual(findings({ path: ["pages", "2"], rule: "matches", value: "" }), [
    "expect.pages.2.matches: the result has nothing there",
  ]);
  assert.equal(valueAt({}, ["constructor"]), undefined);
  assert.equal(valueAt([1], ["length"]), undefined);
});

Deno.test("output files are asked for by the name in the input", () => {
  const outputs = new Map([["speech.wav", { bytes: 44, mediaType: "audio/wav" }]]);
  const ask = (rule: PropertyRule) => findings(rule, {}, { output: "speech.wav" }, outputs);
  assert.deepEqual(ask({ path: ["output"], rule: "mediaType", value: "audio/wav" }), []);
  assert.deepEqual(ask({ path: ["output"], rule: "mediaType", value: "audio/ogg" }), [
    "expect.output.mediaType: the file must be audio/ogg, its bytes tell audio/wav",
  ]);
  assert.deepEqual(ask({ path: ["output"], rule: "minBytes", value: 45 }), [
    "expect.output.minBytes: at least 45 bytes are asked for, found 44",
  ]);
  assert.deepEqual(ask({ path: ["other"], rule: "minBytes", value: 1 }), [
    "expect.other.minBytes: no such output file was written",
  ]);
});

Deno.test("an expected error is its code, and a result is not it", () => {
  const expect = { kind: "error", code: "too_large" } as const;
  const messages = (answer: Answer) =>
    evaluate({ expect, input: {} }, answer, new Map()).map(({ message }) => message);
  assert.deepEqual(messages(failure("too_large")), []);
  assert.deepEqual(messages(failure("unavailable")), [
    "the call must fail with too_large, it failed with unavailable",
  ]);
  assert.deepEqual(messages(result({})), ["the call must fail with too_large, it succeeded"]);
});

Deno.test("a failure where a result was expected names the code and not the message", () => {
  const found = evaluate(
    { expect: { kind: "result", rules: [] }, input: {} },
    failure("unavailable", "secret"),
    new Map(),
  );
  assert.deepEqual(found, [{
    at: "expect",
    message: "a result was expected, the call failed with unavailable",
  }]);
});

Deno.test("what the router had to cover for is a finding under the right code too", () => {
  const answer = failure("too_large", "the file is too large", "its message was withheld: it holds a path");
  const found = evaluate({ expect: { kind: "error", code: "too_large" }, input: {} }, answer, new Map());
  assert.deepEqual(found, [{
    at: "connector",
    message: "the router blames the connector: its message was withheld: it holds a path",
  }]);
});

for (
  const [message, wrong] of [
    ["the file needs a password", []],
    ["the assistant cannot read this", []],
    ["use either/or, 3/4 or application/pdf", []],
    ["see https://example.com/a/b", []],
    ["", ["is empty"]],
    ["cannot open /run/handler/files/in/a1", ["holds a path of the connector's machine"]],
    ['failed: "/opt/handler/connector/main.ts"', ["holds a path of the connector's machine"]],
    ["at file:///opt/x.ts", ["holds a path of the connector's machine"]],
    ["boom\n    at read (main.ts:1:2)", ["holds a stack trace"]],
    ["invoice.pdf is damaged", ["repeats a text of the input"]],
    ["x".repeat(501), ["has 501 characters, at most 500 are allowed"]],
  ] as const
) {
  Deno.test(`an error's message: ${JSON.stringify(message.slice(0, 50))}`, () => {
    const found = messageFindings(message, { path: "invoice.pdf", role: "assistant", languages: ["en"] });
    assert.deepEqual(
      found.map((finding) => finding.message),
      wrong.map((what) => `the error's message ${what}`),
    );
  });
}

Deno.test("all text is the strings in order", () => {
  assert.equal(allText({ a: ["x", { b: "y" }], c: 1, d: "" }), "x\ny");
});
