import type { ThreadEntry } from "$client";

/** A row of the tree as it is shown. */
export interface TreeRow {
  readonly thread: ThreadEntry;
  /** 1 for those without a parent here. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  /** Whether its children are shown; undefined where it has none. */
  readonly open: boolean | undefined;
}

/** The children of opened threads, as far as they have come. */
export type Branches = ReadonlyMap<string, readonly ThreadEntry[]>;

/** Threads and the children of those that are open, in the order in which they are shown. */
export function rowsOf(
  threads: readonly ThreadEntry[],
  open: ReadonlySet<string>,
  branches: Branches,
  level = 1,
): readonly TreeRow[] {
  return threads.flatMap((thread, index) => {
    const shown = thread.children > 0 ? open.has(thread.id) : undefined;
    const row = { thread, level, position: index + 1, siblings: threads.length, open: shown };
    return shown ? [row, ...rowsOf(branches.get(thread.id) ?? [], open, branches, level + 1)] : [row];
  });
}

/** What a key does in a tree: another row has the focus, or one opens or closes; undefined for no key of a tree. */
export function keyed(
  rows: readonly TreeRow[],
  at: number,
  key: string,
): { readonly focus: number } | { readonly toggle: string } | undefined {
  const row = rows[at];
  if (!row) return undefined;
  const to = (index: number) => ({ focus: Math.max(0, Math.min(rows.length - 1, index)) });
  switch (key) {
    case "ArrowDown":
      return to(at + 1);
    case "ArrowUp":
      return to(at - 1);
    case "Home":
      return to(0);
    case "End":
      return to(rows.length - 1);
    case "ArrowRight":
      return row.open === false ? { toggle: row.thread.id } : row.open ? to(at + 1) : to(at);
    case "ArrowLeft":
      return row.open ? { toggle: row.thread.id } : to(parentOf(rows, at));
    default:
      return undefined;
  }
}

function parentOf(rows: readonly TreeRow[], at: number): number {
  const above = rows.slice(0, at).findLastIndex(({ level }) => level < rows[at]!.level);
  return above === -1 ? at : above;
}
