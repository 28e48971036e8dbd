import assert from "node:assert/strict";
import type { WireMessage } from "../../wire/mod.ts";
import { llmHistory, NO_RESULT } from "./history.ts";

let count = 0;

function row(
  role: WireMessage["role"],
  content: string | null,
  more: Partial<WireMessage> = {},
): WireMessage {
  return { id: `m${++count}`, role, content, created_at: count, status: "completed", ...more };
}

function calls(...ids: string[]): string {
  return JSON.stringify(ids.map((id) => ({ id, name: "look", arguments: { id } })));
}

const shape = (rows: readonly WireMessage[], side: "a" | "b", tools = true) =>
  llmHistory(rows, { side, tools }).map((message) => [message.role, message.content]);

Deno.test("side A sees its own rows as the assistant's, side B the other way round", () => {
  const rows = [row("user", "hello"), row("assistant", "hi"), row("system", "note")];
  assert.deepEqual(shape(rows, "a"), [["user", "hello"], ["assistant", "hi"], ["system", "note"]]);
  assert.deepEqual(shape(rows, "b"), [["assistant", "hello"], ["user", "hi"], ["system", "note"]]);
});

Deno.test("silent rows are in a model's history, waiting ones are not", () => {
  const rows = [row("user", "quiet", { silent: true }), row("user", "later", { status: "pending" })];
  assert.deepEqual(shape(rows, "a"), [["user", "quiet"]]);
});

Deno.test("a tool's row stands behind its caller, whatever came in between", () => {
  const rows = [
    row("user", "do it"),
    row("assistant", null, { tool_calls: calls("1", "2") }),
    row("user", "hurry"),
    row("tool", "two", { tool_call_id: "2" }),
    row("tool", "one", { tool_call_id: "1", tool_status: "error" }),
  ];
  assert.deepEqual(shape(rows, "a"), [
    ["user", "do it"],
    ["assistant", null],
    ["tool", "one"],
    ["tool", "two"],
    ["user", "hurry"],
  ]);
  assert.equal(llmHistory(rows, { side: "a", tools: true })[2]!.tool_status, "error");
});

Deno.test("the other side's tools are hidden", () => {
  const rows = [
    row("user", "let me see", { tool_calls: calls("1") }),
    row("tool", "secret", { tool_call_id: "1" }),
    row("user", null, { tool_calls: calls("2") }),
    row("tool", "too", { tool_call_id: "2" }),
  ];
  assert.deepEqual(shape(rows, "a"), [["user", "let me see"]]);
  assert.deepEqual(shape(rows, "b"), [
    ["assistant", "let me see"],
    ["tool", "secret"],
    ["assistant", null],
    ["tool", "too"],
  ]);
});

Deno.test("without tools only what was said remains", () => {
  const rows = [
    row("assistant", "wait", { tool_calls: calls("1") }),
    row("tool", "x", { tool_call_id: "1" }),
  ];
  assert.deepEqual(shape(rows, "a", false), [["assistant", "wait"]]);
});

Deno.test("a call without a result gets one that says so, a dropped call is gone", () => {
  const rows = [
    row("assistant", null, { tool_calls: calls("1", "2") }),
    row("tool", "", { tool_call_id: "2", metadata: { dropped: true } }),
    row("tool", "nobody's", { tool_call_id: "9" }),
  ];
  assert.deepEqual(shape(rows, "a"), [["assistant", null], ["tool", NO_RESULT]]);
});
