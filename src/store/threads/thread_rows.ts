import type { Clock } from "../../base/mod.ts";
import { number, text } from "../rows.ts";
import { bit, inserting } from "./columns.ts";
import type { ThreadQuery, ThreadReads, ThreadWrites } from "./ports.ts";
import type { ThreadRow } from "./records.ts";
import type { Statements } from "./statements.ts";
import { hide, sweep } from "./sweep.ts";
import { SELECT_THREADS, type ThreadCache, toThread } from "./thread_cache.ts";

const INSERT =
  `INSERT INTO threads (id, project, agent, person, created_at, stopped, status_text, parent, relationship,
  owner, communication, blocking, spawn_group, title, description, arguments)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const INSERT_STATE =
  `INSERT INTO states (t, seq, seen_a, seen_b, last_user, last_assistant, shown, hidden, session,
  session_open, turns_a, turns_b, hops, terminated_at, status, turn)
  SELECT t, ?2, ?3, ?4, 0, 0, 0, 0, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 FROM threads WHERE id = ?1`;

/** As the partial index has it, word for word: SQLite uses it for nothing else. A cross join keeps the order of tables. */
const UNFINISHED =
  "(turn IS NOT NULL OR (terminated_at IS NULL AND (status = 'running' OR last_user > seen_a OR last_assistant > seen_b)))";

type Reads = Pick<ThreadReads, "thread" | "threads" | "children" | "countChildren" | "unfinished">;
type Writes = Pick<ThreadWrites, "insertThread" | "saveThread" | "removeThread" | "sweep">;

/** Reads of threads themselves. */
export function threadReads(db: Statements, threads: ThreadCache): Reads {
  return {
    thread(id) {
      const known = threads.get(id);
      return known && { ...known.row };
    },
    threads(query) {
      const { where, values } = conditions(query);
      const sql = `${SELECT_THREADS}${where} ORDER BY t DESC LIMIT +? OFFSET +?`;
      return db.all(sql, ...values, query.limit, query.offset).map(toThread);
    },
    children: (parent) => db.all(`${SELECT_THREADS} WHERE parent = ? ORDER BY t`, parent).map(toThread),
    countChildren(parent) {
      const row = db.get("SELECT count(*) AS n FROM threads WHERE parent = ?", parent);
      return row ? number(row, "n") : 0;
    },
    unfinished(project) {
      threads.flush();
      const rows = project === undefined
        ? db.all(`SELECT id FROM states CROSS JOIN threads USING (t) WHERE ${UNFINISHED} ORDER BY t`)
        : db.all(
          `SELECT id FROM states CROSS JOIN threads USING (t) WHERE ${UNFINISHED} AND project = ? ORDER BY t`,
          project,
        );
      return rows.map((row) => text(row, "id"));
    },
  };
}

function conditions(query: ThreadQuery): { readonly where: string; readonly values: string[] } {
  const terms: string[] = [];
  const values: string[] = [];
  if (query.ended !== undefined) terms.push(`terminated_at IS ${query.ended ? "NOT " : ""}NULL`);
  for (const column of ["project", "agent", "person", "parent", "status"] as const) {
    const value = query[column];
    if (value === undefined) continue;
    terms.push(value === null ? `${column} IS NULL` : `${column} = ?`);
    if (value !== null) values.push(value);
  }
  return { where: terms.length === 0 ? "" : ` WHERE ${terms.join(" AND ")}`, values };
}

/** Writes of threads themselves. */
export function threadWrites(db: Statements, threads: ThreadCache, clock: Clock): Writes {
  return {
    insertThread: (row) => inserting(`the thread ${row.id}`, () => insert(db, row)),
    saveThread: (row) => threads.save(row),
    removeThread(id) {
      const t = threads.key(id);
      threads.forget(id);
      if (t !== undefined) hide(db, t);
    },
    sweep: () => sweep(db, clock),
  };
}

function insert(db: Statements, row: ThreadRow): void {
  const { link } = row;
  // deno-fmt-ignore
  db.run(INSERT, row.id, row.project, row.agent, row.person, row.createdAt, bit(row.stopped), row.statusText,
    link?.parent ?? null, link?.relationship ?? null, link?.owner ?? null, link?.communication ?? null,
    link ? bit(link.blocking) : null, link?.spawnGroup ?? null, row.title, row.description, row.arguments);
  // deno-fmt-ignore
  db.run(INSERT_STATE, row.id, row.seq, row.seenA, row.seenB, row.session, bit(row.sessionOpen), row.turnsA, row.turnsB,
    row.hops, row.terminatedAt, row.status, row.turn);
}
