import type { ThreadRow } from "$client";

/** A thread with its children. */
export interface ThreadNode {
  readonly thread: ThreadRow;
  readonly children: readonly ThreadNode[];
}

/** Threads as a tree, each below its parent where that is among them; the order stays. */
export function treeOf(threads: readonly ThreadRow[]): readonly ThreadNode[] {
  const known = new Set(threads.map(({ id }) => id));
  const below = Map.groupBy(threads, ({ link }) => link && known.has(link.parent) ? link.parent : "");
  const nodes = (parent: string): readonly ThreadNode[] =>
    (below.get(parent) ?? []).map((thread) => ({ thread, children: nodes(thread.id) }));
  return nodes("");
}
