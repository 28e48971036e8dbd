import assert from "node:assert/strict";
import type { ThreadRow } from "$client";
import { type ThreadNode, treeOf } from "./tree.ts";

function thread(id: string, parent?: string): ThreadRow {
  return { id, link: parent === undefined ? null : { parent } } as unknown as ThreadRow;
}

function shape(nodes: readonly ThreadNode[]): unknown {
  return nodes.map(({ thread, children }) =>
    children.length === 0 ? thread.id : [thread.id, shape(children)]
  );
}

Deno.test("children stand below their parent, those of one that is not there by themselves", () => {
  const threads = [thread("c", "a"), thread("a"), thread("b"), thread("d", "c"), thread("e", "gone")];
  assert.deepEqual(shape(treeOf(threads)), [["a", [["c", ["d"]]]], "b", "e"]);
});
