import type { Row } from "../../platform/mod.ts";
import { number, numberOrNull, text, textOrNull } from "../rows.ts";
import {
  bit,
  changedAt,
  errorJson,
  inserting,
  LAST_PLACE,
  loggedError,
  mustChange,
  revision,
  truth,
} from "./columns.ts";
import type { ThreadReads, ThreadWrites } from "./ports.ts";
import type { LogKind, LogRow } from "./records.ts";
import type { Statements } from "./statements.ts";
import type { ThreadCache } from "./thread_cache.ts";

const COLUMNS = `logs.seq, logs.id, logs.turn, kind, name, message_id, logs.created_at, complete, changed,
  latency_ms, error, data`;

const INSERT =
  `INSERT INTO logs (t, seq, id, turn, kind, name, message_id, created_at, complete, changed, latency_ms,
  error, data) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)`;

const SAVE = `UPDATE logs SET complete = ?3, changed = ?4, latency_ms = ?5, error = ?6, data = ?7
  WHERE t = ?1 AND seq = ?2`;

/** Reads of log rows. */
export function logReads(db: Statements, threads: ThreadCache): Pick<ThreadReads, "log" | "logs"> {
  return {
    log(id) {
      const sql = `SELECT threads.id AS thread, ${COLUMNS} FROM logs JOIN threads USING (t)
          WHERE logs.id = ? AND EXISTS (SELECT 1 FROM states WHERE states.t = threads.t)`;
      const row = db.get(sql, id);
      return row && toLog(text(row, "thread"), row);
    },
    logs(thread, { limit, offset, order, after = 0, before = LAST_PLACE }) {
      const t = threads.key(thread);
      if (t === undefined) return [];
      const sql = `SELECT ${COLUMNS} FROM logs WHERE t = ?1 AND seq > ?4 AND seq < ?5
        ORDER BY seq ${order === "asc" ? "ASC" : "DESC"} LIMIT +?2 OFFSET +?3`;
      return db.all(sql, t, limit, offset, after, before).map((row) => toLog(thread, row));
    },
  };
}

/** Writes of log rows. */
export function logWrites(db: Statements, threads: ThreadCache): Pick<ThreadWrites, "insertLog" | "saveLog"> {
  return {
    insertLog(row) {
      const t = threads.mustHave(row.thread);
      // deno-fmt-ignore
      inserting(`the log row ${row.id}`, () => void db.run(INSERT, t, row.seq, row.id, row.turn, row.kind, row.name,
        row.messageId, row.createdAt, bit(row.complete), changedAt(row), row.latencyMs, errorJson(row.error), row.data));
    },
    saveLog(row) {
      const t = threads.mustHave(row.thread);
      const { seq, complete, latencyMs, error, data } = row;
      const done = db.run(SAVE, t, seq, bit(complete), changedAt(row), latencyMs, errorJson(error), data);
      mustChange(`log row ${row.id}`, done);
    },
  };
}

/** A log row from its row in the table. */
export function toLog(thread: string, row: Row): LogRow {
  return {
    thread,
    seq: number(row, "seq"),
    rev: revision(row),
    id: text(row, "id"),
    turn: textOrNull(row, "turn"),
    kind: text(row, "kind") as LogKind,
    name: textOrNull(row, "name"),
    messageId: textOrNull(row, "message_id"),
    createdAt: number(row, "created_at"),
    complete: truth(row, "complete"),
    latencyMs: numberOrNull(row, "latency_ms"),
    error: loggedError(row),
    data: text(row, "data"),
  };
}
