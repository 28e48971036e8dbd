import type { Clock } from "../base/mod.ts";
import { delay } from "../base/mod.ts";
import type { Database } from "../platform/mod.ts";
import { storeError } from "./failure.ts";
import { number } from "./rows.ts";

/** Tables that only grow, with the column that says when. */
export type GrowingTable = "calls" | "egress";

const DAY = 24 * 60 * 60 * 1000;
const WITNESSES = 101;

/**
 * Removes what is older than `keepDays`, in small steps with room for other work between. Returns how many rows went.
 *
 * A clock that jumps must not cost records. So age is counted from the middle one of the last 101 records' times, not
 * from the clock: a jump ahead deletes nothing until half of those were made after it, and nothing goes while the
 * clock stands before the records. Only the oldest rows in the order of writing go, up to the first to be kept: a row
 * with a time far in the past that stands among fresh ones stays.
 */
export async function prune(
  db: Database,
  clock: Clock,
  table: GrowingTable,
  keepDays: number,
  step = 500,
): Promise<number> {
  try {
    const end = firstKept(db, clock, table, keepDays);
    let gone = 0;
    for (;;) {
      const sql =
        `DELETE FROM ${table} WHERE seq IN (SELECT seq FROM ${table} WHERE seq < ? ORDER BY seq LIMIT ?)`;
      const { changes } = db.run(sql, end, step);
      gone += changes;
      if (changes < step) return gone;
      await delay(0);
    }
  } catch (error) {
    throw storeError("removing old records", error);
  }
}

/** The sequence number of the oldest row to keep; 0 where none may go. */
function firstKept(db: Database, clock: Clock, table: GrowingTable, keepDays: number): number {
  const times = db.all(`SELECT started_at FROM ${table} ORDER BY seq DESC LIMIT ?`, WITNESSES)
    .map((row) => number(row, "started_at")).sort((a, b) => a - b);
  const middle = times[Math.floor(times.length / 2)];
  if (middle === undefined || clock.now() < middle - DAY) return 0;
  const row = db.get(
    `SELECT min(seq) AS seq FROM ${table} WHERE started_at BETWEEN ? AND ?`,
    Math.floor(middle - keepDays * DAY),
    Math.floor(middle + DAY),
  );
  return row?.seq == null ? 0 : number(row, "seq");
}
