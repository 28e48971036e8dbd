import type { Row } from "../../platform/mod.ts";
import { number, numberOrNull, text, textOrNull } from "../rows.ts";
import { changedAt, errorJson, inserting, LAST_PLACE, loggedError, mustChange, revision } from "./columns.ts";
import type { ThreadReads, ThreadWrites } from "./ports.ts";
import type { Side, TurnRow, TurnState } from "./records.ts";
import type { Statements } from "./statements.ts";
import type { ThreadCache } from "./thread_cache.ts";

const COLUMNS = `turns.seq, turns.id, turns.session, side, backing, name, message_id, state, changed,
  started_at, ended_at, stop_code, error`;

const INSERT =
  `INSERT INTO turns (t, seq, id, session, side, backing, name, message_id, state, changed, started_at,
  ended_at, stop_code, error) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)`;

const SAVE = `UPDATE turns SET state = ?3, changed = ?4, ended_at = ?5, stop_code = ?6, error = ?7
  WHERE t = ?1 AND seq = ?2`;

/** Reads of turns. */
export function turnReads(db: Statements, threads: ThreadCache): Pick<ThreadReads, "turn" | "turns"> {
  return {
    turn(id) {
      const sql = `SELECT threads.id AS thread, ${COLUMNS} FROM turns JOIN threads USING (t)
          WHERE turns.id = ? AND EXISTS (SELECT 1 FROM states WHERE states.t = threads.t)`;
      const row = db.get(sql, id);
      return row && toTurn(text(row, "thread"), row);
    },
    turns(thread, { limit, offset, order, after = 0, before = LAST_PLACE }) {
      const t = threads.key(thread);
      if (t === undefined) return [];
      const sql = `SELECT ${COLUMNS} FROM turns WHERE t = ?1 AND seq > ?4 AND seq < ?5
        ORDER BY seq ${order === "asc" ? "ASC" : "DESC"} LIMIT +?2 OFFSET +?3`;
      return db.all(sql, t, limit, offset, after, before).map((row) => toTurn(thread, row));
    },
  };
}

/** Writes of turns. */
export function turnWrites(
  db: Statements,
  threads: ThreadCache,
): Pick<ThreadWrites, "insertTurn" | "saveTurn"> {
  return {
    insertTurn(row) {
      const t = threads.mustHave(row.thread);
      // deno-fmt-ignore
      inserting(`the turn ${row.id}`, () => void db.run(INSERT, t, row.seq, row.id, row.session, row.side, row.backing,
        row.name, row.messageId, row.state, changedAt(row), row.startedAt, row.endedAt, row.stopCode,
        errorJson(row.error)));
    },
    saveTurn(row) {
      const t = threads.mustHave(row.thread);
      const { seq, state, endedAt, stopCode, error } = row;
      const done = db.run(SAVE, t, seq, state, changedAt(row), endedAt, stopCode, errorJson(error));
      mustChange(`turn ${row.id}`, done);
    },
  };
}

/** A turn from its row. */
export function toTurn(thread: string, row: Row): TurnRow {
  return {
    thread,
    seq: number(row, "seq"),
    rev: revision(row),
    id: text(row, "id"),
    session: number(row, "session"),
    side: text(row, "side") as Side,
    backing: text(row, "backing") as TurnRow["backing"],
    name: text(row, "name"),
    messageId: text(row, "message_id"),
    state: text(row, "state") as TurnState,
    startedAt: number(row, "started_at"),
    endedAt: numberOrNull(row, "ended_at"),
    stopCode: textOrNull(row, "stop_code"),
    error: loggedError(row),
  };
}
