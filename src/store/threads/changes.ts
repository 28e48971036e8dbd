import type { Row } from "../../platform/mod.ts";
import { number } from "../rows.ts";
import { toLog } from "./log_rows.ts";
import { toMessage } from "./message_rows.ts";
import type { ThreadChange, ThreadReads } from "./ports.ts";
import { toTurn } from "./turn_rows.ts";
import type { Statements } from "./statements.ts";
import type { ThreadCache } from "./thread_cache.ts";

/** The tables of what has a place in a thread, and how a row of each is told. */
const TABLES: readonly {
  readonly name: string;
  change(thread: string, rev: number, row: Row): ThreadChange;
}[] = [
  { name: "messages", change: (thread, rev, row) => ({ rev, kind: "message", row: toMessage(thread, row) }) },
  { name: "turns", change: (thread, rev, row) => ({ rev, kind: "turn", row: toTurn(thread, row) }) },
  { name: "logs", change: (thread, rev, row) => ({ rev, kind: "log", row: toLog(thread, row) }) },
];

/**
 * Where the rows of a table stand that changed after a revision: those that were changed are found by it, the others by
 * their place, which is their revision. Each part comes in order, so that they are merged only as far as is asked.
 */
const keysOf = (name: string, at: number) =>
  `SELECT ${at} AS kind, n, changed AS rev FROM ${name} WHERE t = ?1 AND changed > ?2
  UNION ALL SELECT ${at}, n, seq FROM ${name} WHERE t = ?1 AND seq > ?2 AND changed IS NULL`;

const KEYS = `${TABLES.map(({ name }, at) => keysOf(name, at)).join(" UNION ALL ")} ORDER BY rev LIMIT +?3`;

/** What changed in a thread after a revision, of all kinds, in order of revision. */
export function changeReads(db: Statements, threads: ThreadCache): Pick<ThreadReads, "changesAfter"> {
  return {
    changesAfter(thread, rev, limit) {
      const t = threads.key(thread);
      if (t === undefined || limit <= 0) return [];
      return db.all(KEYS, t, rev, limit).flatMap((key) => {
        const { name, change } = TABLES[number(key, "kind")]!;
        const row = db.get(`SELECT * FROM ${name} WHERE n = ?`, number(key, "n"));
        return row ? [change(thread, number(key, "rev"), row)] : [];
      });
    },
  };
}
