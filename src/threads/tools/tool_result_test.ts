import assert from "node:assert/strict";
import { asToolResult, failure, resultText, success } from "./tool_result.ts";

Deno.test("what a tool returned becomes a result, whatever it is", () => {
  assert.deepEqual(asToolResult({ status: "success", result: "a" }), success("a"));
  assert.deepEqual(asToolResult({ status: "success", result: { a: 1 } }), success('{"a":1}'));
  assert.deepEqual(asToolResult("text"), success("text"));
  assert.deepEqual(asToolResult({ total: 3 }), success('{"total":3}'));
  assert.deepEqual(asToolResult(undefined), success(""));
});

Deno.test("a model reads the result, or the error with its code and data", () => {
  assert.equal(resultText(success("done")), "done");
  assert.equal(
    resultText(failure("no such file", "not_found", { path: "a" })),
    'no such file (not_found)\n{"path":"a"}',
  );
  assert.match(resultText({ status: "error" }), /did not say why/);
});
