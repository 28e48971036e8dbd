import type { Row } from "../../platform/mod.ts";
import { number, numberOrNull, textOrNull } from "../rows.ts";
import { bit } from "./columns.ts";
import type { ThreadReads, ThreadWrites } from "./ports.ts";
import type { SessionRow } from "./records.ts";
import type { Statements } from "./statements.ts";
import type { ThreadCache } from "./thread_cache.ts";

const PUT = `INSERT OR REPLACE INTO sessions (t, number, opened_at, closed_at, reason, success, result)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;

/** Reads of sessions. */
export function sessionReads(
  db: Statements,
  threads: ThreadCache,
): Pick<ThreadReads, "session" | "sessions"> {
  const rows = (thread: string, where: string, ...values: number[]) => {
    const t = threads.key(thread);
    return t === undefined ? [] : db.all(`SELECT * FROM sessions WHERE t = ?${where}`, t, ...values);
  };
  return {
    session(thread, number) {
      const [row] = rows(thread, " AND number = ?", number);
      return row && toSession(thread, row);
    },
    sessions: (thread) => rows(thread, " ORDER BY number").map((row) => toSession(thread, row)),
  };
}

/** Writes of sessions. */
export function sessionWrites(db: Statements, threads: ThreadCache): Pick<ThreadWrites, "putSession"> {
  return {
    putSession({ thread, number, openedAt, closedAt, reason, success, result }) {
      const succeeded = success === null ? null : bit(success);
      db.run(PUT, threads.mustHave(thread), number, openedAt, closedAt, reason, succeeded, result);
    },
  };
}

function toSession(thread: string, row: Row): SessionRow {
  const success = numberOrNull(row, "success");
  return {
    thread,
    number: number(row, "number"),
    openedAt: number(row, "opened_at"),
    closedAt: numberOrNull(row, "closed_at"),
    reason: textOrNull(row, "reason"),
    success: success === null ? null : success === 1,
    result: textOrNull(row, "result"),
  };
}
