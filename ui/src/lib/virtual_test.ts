import assert from "node:assert/strict";
import { rowsInView } from "./virtual.ts";

Deno.test("of a long list only what is seen is there, and a little beyond", () => {
  assert.deepEqual(rowsInView({ top: 0, visible: 400, rowHeight: 40, count: 10_000 }), { from: 0, to: 18 });
  assert.deepEqual(rowsInView({ top: 4000, visible: 400, rowHeight: 40, count: 10_000 }), {
    from: 92,
    to: 118,
  });
});

Deno.test("a list ends where its rows end, also when it has become shorter", () => {
  assert.deepEqual(rowsInView({ top: 400_000, visible: 400, rowHeight: 40, count: 10 }), {
    from: 10,
    to: 10,
  });
  assert.deepEqual(rowsInView({ top: 0, visible: 400, rowHeight: 40, count: 3 }), { from: 0, to: 3 });
  assert.deepEqual(rowsInView({ top: 0, visible: 400, rowHeight: 40, count: 0 }), { from: 0, to: 0 });
});
