/** A row with a place in its thread. */
export interface Placed {
  readonly id: string;
  readonly seq: number;
}

/** Two parts of a list in one, by their places; of rows with one id the last one of `more` stays. */
export function merged<T extends Placed>(rows: readonly T[], more: readonly T[]): readonly T[] {
  if (more.length === 0) return rows;
  const last = rows.at(-1), first = rows[0];
  const newer = new Map(more.map((row) => [row.id, row]));
  const ordered = [...newer.values()].sort((a, b) => a.seq - b.seq);
  if (!last || ordered[0]!.seq > last.seq) return [...rows, ...ordered];
  if (ordered.at(-1)!.seq < first!.seq) return [...ordered, ...rows];
  const kept = rows.map((row) => {
    const other = newer.get(row.id);
    newer.delete(row.id);
    return other ?? row;
  });
  return newer.size === 0 ? kept : [...kept, ...newer.values()].sort((a, b) => a.seq - b.seq);
}

/** How much of a list is at hand: whether its ends are there. */
export interface Reach {
  readonly first: boolean;
  readonly last: boolean;
}

/** Those of the changed rows that belong to the part at hand; the others come when that part is asked for. */
export function within<T extends Placed>(
  rows: readonly T[],
  changed: readonly T[],
  reach: Reach,
): readonly T[] {
  const from = reach.first ? 0 : rows[0]?.seq ?? 0;
  const to = reach.last ? Infinity : rows.at(-1)?.seq ?? 0;
  return changed.filter(({ seq }) => seq >= from && seq <= to);
}
