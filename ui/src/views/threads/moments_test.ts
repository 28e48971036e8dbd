import assert from "node:assert/strict";
import type { Json } from "$client";
import { heard, type Now, STILL, without } from "./moments.ts";

const delta = (now: Now, data: Json) => heard(now, { name: null, data }, 1);

Deno.test("pieces of an answer are one text, until it is a message", () => {
  const one = { type: "piece", prompt: "clerk", message: "m1" };
  let now = delta(STILL, { ...one, at: 0, text: "It is " });
  now = delta(now, { ...one, at: 6, text: "done" });
  assert.deepEqual(now.saying, [{ message: "m1", prompt: "clerk", text: "It is done" }]);
  assert.equal(delta(now, { ...one, type: "text", text: "It is done." }).saying[0]?.text, "It is done.");
  assert.equal(delta(now, { ...one, at: 0, text: "No" }).saying[0]?.text, "No");
  assert.deepEqual(delta(now, { type: "void", message: "m1" }).saying, []);
  assert.deepEqual(without(now, new Set(["m1"])).saying, []);
  assert.equal(without(now, new Set(["m2"])), now);
  assert.equal(delta(now, { type: "other" }), now);
  assert.equal(delta(now, null), now);
});

Deno.test("answers of several models are kept apart, and one with a gap is not shown", () => {
  let now = delta(STILL, { type: "piece", prompt: "a", message: "m1", at: 0, text: "one" });
  now = delta(now, { type: "piece", prompt: "b", message: "m2", at: 0, text: "two" });
  assert.deepEqual(now.saying.map(({ text }) => text), ["one", "two"]);
  now = delta(now, { type: "piece", prompt: "a", message: "m1", at: 9, text: "late" });
  assert.deepEqual(now.saying.map(({ text }) => text), ["two"]);
  assert.deepEqual(
    delta(STILL, { type: "piece", prompt: "a", message: "m1", at: 9, text: "late" }).saying,
    [],
  );
});

Deno.test("a tool has one line, and so has a progress", () => {
  let now = delta(STILL, { type: "tool_call", name: "look_up", progress: "looking" });
  now = delta(now, { type: "progress", name: "ocr_extract", text: "1 of 2" });
  now = delta(now, { type: "progress", name: "ocr_extract", text: "2 of 2" });
  now = delta(now, { type: "tool_result", name: "look_up", status: "success" });
  assert.deepEqual(now.moments.map(({ kind, name, text }) => [kind, name, text]), [
    ["result", "look_up", "success"],
    ["progress", "ocr_extract", "2 of 2"],
  ]);
});

Deno.test("what a definition emits is shown in brief, the last of it", () => {
  let now = heard(STILL, { name: "step", data: { n: 1 } }, 5);
  assert.deepEqual(now.moments, [{ kind: "event", name: "step", text: '{"n":1}', at: 5 }]);
  for (let n = 0; n < 30; n++) now = heard(now, { name: "step", data: "x".repeat(500) }, n);
  assert.equal(now.moments.length, 20);
  assert.equal(now.moments[0]?.text.length, 200);
});
