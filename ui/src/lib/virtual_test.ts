import assert from "node:assert/strict";
import { type ListPosition, rowsInView } from "./virtual.ts";

function rows(position: ListPosition): { readonly from: number; readonly to: number } {
  const { from, to } = rowsInView(position);
  return { from, to };
}

Deno.test("of a long list only what is seen is there, and a little beyond", () => {
  assert.deepEqual(rows({ top: 0, visible: 400, rowHeight: 40, count: 10_000 }), { from: 0, to: 18 });
  assert.deepEqual(rows({ top: 4000, visible: 400, rowHeight: 40, count: 10_000 }), {
    from: 92,
    to: 118,
  });
});

Deno.test("a list ends where its rows end, also when it has become shorter", () => {
  assert.deepEqual(rows({ top: 400_000, visible: 400, rowHeight: 40, count: 10 }), {
    from: 10,
    to: 10,
  });
  assert.deepEqual(rows({ top: 0, visible: 400, rowHeight: 40, count: 3 }), { from: 0, to: 3 });
  assert.deepEqual(rows({ top: 0, visible: 400, rowHeight: 40, count: 0 }), { from: 0, to: 0 });
});

Deno.test("rows of one view have places of their own, however it lies over them", () => {
  for (let top = 4000; top < 4100; top += 7) {
    for (const visible of [1, 39, 40, 399, 400, 411]) {
      const { from, to, slots } = rowsInView({ top, visible, rowHeight: 40, count: 10_000 });
      assert.ok(to - from <= slots, `${to - from} rows in ${slots} places`);
    }
  }
});
