import type { Row } from "../../platform/mod.ts";
import { number, text } from "../rows.ts";
import { errorJson, inserting, loggedError, mustChange } from "./columns.ts";
import type { ThreadReads, ThreadWrites } from "./ports.ts";
import type { EffectRow } from "./records.ts";
import type { Statements } from "./statements.ts";
import type { ThreadCache } from "./thread_cache.ts";

const SELECT =
  `SELECT threads.id AS thread, effects.id, name, args, scheduled_at, effects.created_at, state, error
  FROM effects JOIN threads USING (t)`;

const INSERT = `INSERT INTO effects (t, id, name, state, scheduled_at, created_at, error, args)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/** Reads of effects. */
export function effectReads(
  db: Statements,
  threads: ThreadCache,
): Pick<ThreadReads, "effect" | "pendingEffects" | "processingEffects"> {
  return {
    effect(id) {
      const row = db.get(`${SELECT} WHERE effects.id = ?`, id);
      return row && toEffect(row);
    },
    pendingEffects(thread, limit = -1) {
      const pending = `${SELECT} WHERE state = 'pending'`, order = "ORDER BY scheduled_at, n LIMIT +?";
      if (thread === undefined) return db.all(`${pending} ${order}`, limit).map(toEffect);
      const t = threads.key(thread);
      if (t === undefined) return [];
      return db.all(`${pending} AND t = ? ${order}`, t, limit).map(toEffect);
    },
    processingEffects: () => db.all(`${SELECT} WHERE state = 'processing' ORDER BY n`).map(toEffect),
  };
}

/** Writes of effects. */
export function effectWrites(
  db: Statements,
  threads: ThreadCache,
): Pick<ThreadWrites, "insertEffect" | "saveEffect"> {
  return {
    insertEffect({ id, thread, name, args, scheduledAt, createdAt, state, error }) {
      const t = threads.mustHave(thread);
      const insert = () =>
        void db.run(INSERT, t, id, name, state, scheduledAt, createdAt, errorJson(error), args);
      inserting(`the effect ${id}`, insert);
    },
    saveEffect({ id, state, error }) {
      const sql = "UPDATE effects SET state = ?2, error = ?3 WHERE id = ?1";
      mustChange(`effect ${id}`, db.run(sql, id, state, errorJson(error)));
    },
  };
}

function toEffect(row: Row): EffectRow {
  return {
    id: text(row, "id"),
    thread: text(row, "thread"),
    name: text(row, "name"),
    args: text(row, "args"),
    scheduledAt: number(row, "scheduled_at"),
    createdAt: number(row, "created_at"),
    state: text(row, "state") as EffectRow["state"],
    error: loggedError(row),
  };
}
