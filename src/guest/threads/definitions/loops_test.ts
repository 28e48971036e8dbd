import assert from "node:assert/strict";
import { loops, spelled } from "./loops.ts";

function found(graph: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return loops(new Map(Object.entries(graph))).map(spelled);
}

Deno.test("a graph without loops has none, however often its nodes are met", () => {
  assert.deepEqual(found({ a: ["b", "c"], b: ["d"], c: ["d"], d: [], e: ["nobody"] }), []);
});

Deno.test("each loop is told once, from its first name", () => {
  assert.deepEqual(found({ c: ["a"], a: ["b"], b: ["c"], z: ["a"] }), ["a → b → c → a"]);
  assert.deepEqual(found({ a: ["a", "b"], b: ["c"], c: ["b"] }), ["a → a", "b → c → b"]);
});
