import type { Row } from "../../platform/mod.ts";
import { number } from "../rows.ts";
import { revision } from "./columns.ts";
import { toLog } from "./log_rows.ts";
import { toMessage } from "./message_rows.ts";
import type { ThreadChange, ThreadReads } from "./ports.ts";
import { toTurn } from "./turn_rows.ts";
import type { Statements } from "./statements.ts";
import type { ThreadCache } from "./thread_cache.ts";

type Table = "messages" | "turns" | "logs";

const KINDS: Readonly<Record<Table, (thread: string, rev: number, row: Row) => ThreadChange>> = {
  messages: (thread, rev, row) => ({ rev, kind: "message", row: toMessage(thread, row) }),
  turns: (thread, rev, row) => ({ rev, kind: "turn", row: toTurn(thread, row) }),
  logs: (thread, rev, row) => ({ rev, kind: "log", row: toLog(thread, row) }),
};

/** What changed in a thread after a revision, of all kinds, in order of revision. */
export function changeReads(db: Statements, threads: ThreadCache): Pick<ThreadReads, "changesAfter"> {
  return {
    changesAfter(thread, rev, limit) {
      const t = threads.key(thread);
      if (t === undefined || limit <= 0) return [];
      return (["messages", "turns", "logs"] as const)
        .flatMap((table) =>
          rowsAfter(db, table, t, rev, limit).map((row) => KINDS[table](thread, revision(row), row))
        )
        .sort((a, b) => a.rev - b.rev)
        .slice(0, limit);
    },
  };
}

/**
 * Rows that were changed are found by their revision, the others by their place, which is their revision. Where there
 * are enough of the former, the latter are of interest only up to the last of them; so what is looked at stays few.
 */
function rowsAfter(db: Statements, table: Table, t: number, rev: number, limit: number): readonly Row[] {
  const select = `SELECT * FROM ${table}`;
  const changed = db.all(
    `${select} WHERE t = ?1 AND changed > ?2 ORDER BY changed LIMIT +?3`,
    t,
    rev,
    limit,
  );
  const last = changed.length < limit ? Number.MAX_SAFE_INTEGER : number(changed.at(-1)!, "changed");
  const unchanged = db.all(
    `${select} WHERE t = ?1 AND seq > ?2 AND seq <= ?3 AND changed IS NULL ORDER BY seq LIMIT +?4`,
    t,
    rev,
    last,
    limit,
  );
  return [...changed, ...unchanged];
}
