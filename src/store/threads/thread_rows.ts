import type { Row } from "../../platform/mod.ts";
import { number, numberOrNull, text, textOrNull } from "../rows.ts";
import { bit, inserting, mustChange, threadKey, truth } from "./columns.ts";
import type { ThreadQuery, ThreadReads, ThreadWrites } from "./ports.ts";
import type { ChildLink, ParentCommunication, Side, ThreadRow, ThreadStatus } from "./records.ts";
import type { Statements } from "./statements.ts";

const NO_ARGUMENTS = "{}";

const SELECT = "SELECT threads.*, arguments.json FROM threads LEFT JOIN arguments USING (t)";

const INSERT =
  `INSERT INTO threads (id, seq, seen_a, seen_b, last_user, last_assistant, shown, hidden, turn, status,
  session, session_open, turns_a, turns_b, turns_alone, stopped, terminated_at, status_text, project, agent, person,
  created_at, parent, relationship, owner, communication, blocking, spawn_group, title, description)
  VALUES (?, ?, ?, ?, 0, 0, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const SAVE = `UPDATE threads SET seq = ?2, seen_a = ?3, seen_b = ?4, turn = ?5, status = ?6, session = ?7,
  session_open = ?8, turns_a = ?9, turns_b = ?10, turns_alone = ?11, stopped = ?12, terminated_at = ?13,
  status_text = ?14, agent = ?15, title = ?16, description = ?17 WHERE id = ?1`;

/** As the partial index has it, word for word: SQLite uses it for nothing else. */
const UNFINISHED =
  "(turn IS NOT NULL OR (terminated_at IS NULL AND (last_user > seen_a OR last_assistant > seen_b)))";

/** Tables of rows that have a place in a thread, and those that only belong to one. */
const PLACED = ["messages", "turns", "logs"];
const OWNED = ["arguments", "sessions", "thread_values", "env", "files", "effects", "threads"];

type Reads = Pick<ThreadReads, "thread" | "threads" | "children" | "unfinished">;
type Writes = Pick<ThreadWrites, "insertThread" | "saveThread" | "removeThread">;

/** Reads of threads themselves. */
export function threadReads(db: Statements): Reads {
  return {
    thread(id) {
      const row = db.get(`${SELECT} WHERE id = ?`, id);
      return row && toThread(row);
    },
    threads: (query) => {
      const { where, values } = conditions(query);
      const sql = `${SELECT}${where} ORDER BY t DESC LIMIT ? OFFSET ?`;
      return db.all(sql, ...values, query.limit, query.offset).map(toThread);
    },
    children: (parent) => db.all(`${SELECT} WHERE parent = ? ORDER BY t`, parent).map(toThread),
    unfinished(project) {
      const rows = project === undefined
        ? db.all(`SELECT id FROM threads WHERE ${UNFINISHED}`)
        : db.all(`SELECT id FROM threads WHERE ${UNFINISHED} AND project = ?`, project);
      return rows.map((row) => text(row, "id"));
    },
  };
}

function conditions(query: ThreadQuery): { readonly where: string; readonly values: string[] } {
  const terms: string[] = [];
  const values: string[] = [];
  for (const column of ["project", "person", "parent", "status"] as const) {
    const value = query[column];
    if (value === undefined) continue;
    terms.push(value === null ? `${column} IS NULL` : `${column} = ?`);
    if (value !== null) values.push(value);
  }
  return { where: terms.length === 0 ? "" : ` WHERE ${terms.join(" AND ")}`, values };
}

/** Writes of threads themselves. */
export function threadWrites(db: Statements): Writes {
  return {
    insertThread: (row) => inserting(`the thread ${row.id}`, () => insert(db, row)),
    saveThread: (row) => mustChange(`thread ${row.id}`, save(db, row)),
    removeThread: (id) => remove(db, id),
  };
}

function insert(db: Statements, row: ThreadRow): void {
  const { link } = row;
  // deno-fmt-ignore
  db.run(INSERT, row.id, row.seq, row.seenA, row.seenB, row.turn, row.status, row.session, bit(row.sessionOpen),
    row.turnsA, row.turnsB, row.turnsAlone, bit(row.stopped), row.terminatedAt, row.statusText, row.project, row.agent,
    row.person, row.createdAt, link?.parent ?? null, link?.relationship ?? null, link?.owner ?? null,
    link?.communication ?? null, link ? bit(link.blocking) : null, link?.spawnGroup ?? null, row.title, row.description);
  if (row.arguments === NO_ARGUMENTS) return;
  db.run("INSERT INTO arguments (t, json) SELECT t, ?2 FROM threads WHERE id = ?1", row.id, row.arguments);
}

function save(db: Statements, row: ThreadRow): { readonly changes: number } {
  // deno-fmt-ignore
  return db.run(SAVE, row.id, row.seq, row.seenA, row.seenB, row.turn, row.status, row.session, bit(row.sessionOpen),
    row.turnsA, row.turnsB, row.turnsAlone, bit(row.stopped), row.terminatedAt, row.statusText, row.agent, row.title,
    row.description);
}

function remove(db: Statements, id: string): void {
  const t = threadKey(db, id);
  if (t === undefined) return;
  for (const table of PLACED) {
    db.run(`DELETE FROM ${table} WHERE k >= ?1 << 32 AND k < (?1 + 1) << 32`, t);
  }
  for (const table of OWNED) db.run(`DELETE FROM ${table} WHERE t = ?`, t);
}

function toThread(row: Row): ThreadRow {
  return {
    id: text(row, "id"),
    project: text(row, "project"),
    agent: text(row, "agent"),
    person: textOrNull(row, "person"),
    title: textOrNull(row, "title"),
    description: textOrNull(row, "description"),
    createdAt: number(row, "created_at"),
    link: toLink(row),
    arguments: textOrNull(row, "json") ?? NO_ARGUMENTS,
    terminatedAt: numberOrNull(row, "terminated_at"),
    stopped: truth(row, "stopped"),
    status: text(row, "status") as ThreadStatus,
    statusText: textOrNull(row, "status_text"),
    seq: number(row, "seq"),
    seenA: number(row, "seen_a"),
    seenB: number(row, "seen_b"),
    turn: textOrNull(row, "turn"),
    session: number(row, "session"),
    sessionOpen: truth(row, "session_open"),
    turnsA: number(row, "turns_a"),
    turnsB: number(row, "turns_b"),
    turnsAlone: number(row, "turns_alone"),
  };
}

function toLink(row: Row): ChildLink | null {
  const parent = textOrNull(row, "parent");
  if (parent === null) return null;
  return {
    parent,
    relationship: text(row, "relationship"),
    owner: text(row, "owner") as Side,
    communication: text(row, "communication") as ParentCommunication,
    blocking: truth(row, "blocking"),
    spawnGroup: textOrNull(row, "spawn_group"),
  };
}
