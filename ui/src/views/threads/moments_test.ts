import assert from "node:assert/strict";
import type { Json } from "$client";
import { heard, type Now, STILL } from "./moments.ts";

const delta = (now: Now, data: Json) => heard(now, { name: null, data }, 1);

Deno.test("pieces of an answer are one text, until it is a message", () => {
  let now = delta(STILL, { type: "piece", prompt: "clerk", text: "It is " });
  now = delta(now, { type: "piece", prompt: "clerk", text: "done" });
  assert.deepEqual(now.saying, { prompt: "clerk", text: "It is done" });
  assert.equal(delta(now, { type: "text", text: "It is done" }).saying, undefined);
  assert.equal(delta(now, { type: "void" }).saying, undefined);
  assert.equal(delta(now, { type: "other" }), now);
  assert.equal(delta(now, null), now);
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
