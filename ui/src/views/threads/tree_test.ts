import assert from "node:assert/strict";
import type { ThreadEntry } from "$client";
import { keyed, rowsOf } from "./tree.ts";

const thread = (id: string, children = 0) => ({ id, children }) as unknown as ThreadEntry;

const roots = [thread("a", 2), thread("b"), thread("c", 1)];
const branches = new Map([["a", [thread("a1", 1), thread("a2")]]]);
const rows = rowsOf(roots, new Set(["a", "a1"]), branches);

Deno.test("children stand below a parent that is open, as far as they have come", () => {
  const shown = rows.map(({ thread, level, position, siblings, open }) =>
    [thread.id, level, position, siblings, open] as const
  );
  assert.deepEqual(shown, [
    ["a", 1, 1, 3, true],
    ["a1", 2, 1, 2, true],
    ["a2", 2, 2, 2, undefined],
    ["b", 1, 2, 3, undefined],
    ["c", 1, 3, 3, false],
  ]);
});

Deno.test("keys move in a tree as they do in others", () => {
  assert.deepEqual(keyed(rows, 0, "ArrowDown"), { focus: 1 });
  assert.deepEqual(keyed(rows, 0, "ArrowUp"), { focus: 0 });
  assert.deepEqual(keyed(rows, 0, "ArrowRight"), { focus: 1 });
  assert.deepEqual(keyed(rows, 0, "ArrowLeft"), { toggle: "a" });
  assert.deepEqual(keyed(rows, 2, "ArrowLeft"), { focus: 0 });
  assert.deepEqual(keyed(rows, 4, "ArrowRight"), { toggle: "c" });
  assert.deepEqual(keyed(rows, 1, "End"), { focus: 4 });
  assert.deepEqual(keyed(rows, 1, "Home"), { focus: 0 });
  assert.equal(keyed(rows, 1, "x"), undefined);
  assert.equal(keyed([], 0, "End"), undefined);
});
