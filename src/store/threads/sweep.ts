import type { Clock } from "../../base/mod.ts";
import { number } from "../rows.ts";
import type { Statements } from "./statements.ts";

/** What tells the rows of one thread apart in each table of what is a thread's own. */
const OWNED = {
  messages: "n",
  turns: "n",
  logs: "n",
  effects: "n",
  sessions: "number",
  thread_values: "key",
  env: "name",
  files: "path",
} as const;

/** Rows in one statement; one may have megabytes. */
const ROWS = 50;
/** A slice takes about so many milliseconds, for nothing else can be stored meanwhile. */
const SLICE = 5;

/** What the ids of threads begin with that were removed. */
const REMOVED = "removed ";
const NEXT = `SELECT t FROM threads WHERE id >= '${REMOVED}' AND id < '${REMOVED}~'
  AND NOT EXISTS (SELECT 1 FROM states WHERE states.t = threads.t) LIMIT 1`;
const HIDE =
  `UPDATE threads SET id = '${REMOVED}' || t, person = NULL, parent = NULL, title = NULL, description = NULL,
  status_text = NULL, arguments = '{}' WHERE t = ?`;

/**
 * Takes a thread out of every list at once: without a state it is none. Its number stays taken until the rest of it is gone,
 * which {@linkcode sweep} does bit by bit.
 */
export function hide(db: Statements, t: number): void {
  for (const table of ["effects", "states"]) db.run(`DELETE FROM ${table} WHERE t = ?`, t);
  db.run(HIDE, t);
}

/** Removes something of what threads have left that were hidden. @returns whether there may be more */
export function sweep(db: Statements, clock: Clock): boolean {
  const end = clock.monotonic() + SLICE;
  for (let row = db.get(NEXT); row; row = db.get(NEXT)) {
    const t = number(row, "t");
    for (const [table, key] of Object.entries(OWNED)) {
      const sql = `DELETE FROM ${table} WHERE ${key === "n" ? "" : "t = ?1 AND "}${key} IN
        (SELECT ${key} FROM ${table} WHERE t = ?1 LIMIT ${ROWS})`;
      while (db.run(sql, t).changes > 0) if (clock.monotonic() >= end) return true;
    }
    db.run("DELETE FROM threads WHERE t = ?", t);
  }
  return false;
}
