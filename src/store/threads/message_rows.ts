import type { Row } from "../../platform/mod.ts";
import { number, text, textOrNull } from "../rows.ts";
import { bit, changedAt, inserting, mustChange, mustHaveKey, revision, threadKey, truth } from "./columns.ts";
import type { MessageQuery, ThreadReads, ThreadWrites } from "./ports.ts";
import type { MessageRole, MessageRow } from "./records.ts";
import type { Statements } from "./statements.ts";

/** A role is kept as its place here: it stands in an index that every message is written to. */
const ROLES: readonly MessageRole[] = ["user", "assistant", "tool", "system"];

/** Every column, with the place in the thread as `seq`. */
const SELECT =
  `SELECT k & 4294967295 AS seq, id, role, depth, silent, deleted, changed, created_at, turn, parent_id,
  name, tool_call_id, tool_status, tool_calls, metadata, attachments, content FROM messages`;

const INSERT =
  `INSERT INTO messages (k, t, id, role, depth, silent, deleted, changed, created_at, turn, parent_id, name,
  tool_call_id, tool_status, tool_calls, metadata, attachments, content)
  VALUES ((?1 << 32) | ?2, ?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)`;

const SAVE = `UPDATE messages SET deleted = ?3, changed = ?4, metadata = ?5, attachments = ?6, content = ?7
  WHERE k = (?1 << 32) | ?2`;

/** All rows of a thread, in order. */
const OF_THREAD = "k >= ?1 << 32 AND k < (?1 + 1) << 32";
/** Top-level rows of a role, by the index that holds no others. */
const INBOUND = "t = ?1 AND role = ?2 AND depth = 0 AND deleted = 0";

type Reads = Pick<ThreadReads, "message" | "nextInbound" | "lastMessage" | "messages" | "countMessages">;
type Writes = Pick<ThreadWrites, "insertMessage" | "saveMessage">;

/** Reads of messages. */
export function messageReads(db: Statements): Reads {
  const one = (thread: string, sql: string, ...values: (string | number)[]) => {
    const t = threadKey(db, thread);
    const row = t === undefined ? undefined : db.get(sql, t, ...values);
    return row && toMessage(thread, row);
  };
  return {
    message: (thread, id) => one(thread, `${SELECT} WHERE id = ?2 AND t = ?1`, id),
    nextInbound: (thread, role, afterSeq) =>
      one(
        thread,
        `${SELECT} WHERE ${INBOUND} AND k > ((?1 << 32) | ?3) ORDER BY k LIMIT 1`,
        code(role),
        afterSeq,
      ),
    lastMessage(thread, role) {
      const where = role === undefined ? `${OF_THREAD} AND depth = 0 AND deleted = 0` : INBOUND;
      const values = role === undefined ? [] : [code(role)];
      return one(thread, `${SELECT} WHERE ${where} ORDER BY k DESC LIMIT 1`, ...values);
    },
    messages: (thread, query) => list(db, thread, query),
    countMessages: (thread, query) => count(db, thread, query),
  };
}

function list(db: Statements, thread: string, query: MessageQuery): readonly MessageRow[] {
  const t = threadKey(db, thread);
  if (t === undefined) return [];
  const order = query.order === "asc" ? "ASC" : "DESC";
  const sql = `${SELECT} WHERE ${OF_THREAD} AND depth <= ?2 AND silent <= ?3 AND deleted = 0
    ORDER BY k ${order} LIMIT ?4 OFFSET ?5`;
  const rows = db.all(sql, t, query.maxDepth, bit(query.includeSilent), query.limit, query.offset);
  return rows.map((row) => toMessage(thread, row));
}

/** Top-level rows are counted as they come; what sub-prompts wrote is counted when somebody asks. */
function count(
  db: Statements,
  thread: string,
  query: Pick<MessageQuery, "includeSilent" | "maxDepth">,
): number {
  const counts = db.get("SELECT t, shown, hidden FROM threads WHERE id = ?", thread);
  if (!counts) return 0;
  const top = number(counts, "shown") + (query.includeSilent ? number(counts, "hidden") : 0);
  if (query.maxDepth === 0) return top;
  const sql = `SELECT count(*) AS n FROM messages
    WHERE ${OF_THREAD} AND depth BETWEEN 1 AND ?2 AND silent <= ?3 AND deleted = 0`;
  const deep = db.get(sql, number(counts, "t"), query.maxDepth, bit(query.includeSilent));
  return top + (deep ? number(deep, "n") : 0);
}

/** Writes of messages. */
export function messageWrites(db: Statements): Writes {
  return {
    insertMessage(row) {
      const t = mustHaveKey(db, row.thread);
      inserting(`the message ${row.id}`, () => insert(db, t, row));
      if (row.depth === 0 && !row.deleted) arrived(db, t, row);
    },
    saveMessage(row) {
      const t = mustHaveKey(db, row.thread);
      const before = db.get("SELECT deleted FROM messages WHERE k = (?1 << 32) | ?2", t, row.seq);
      const { changes } = save(db, t, row);
      mustChange(`message ${row.id}`, { changes });
      if (row.depth === 0 && before && truth(before, "deleted") !== row.deleted) recount(db, t, row);
    },
  };
}

function insert(db: Statements, t: number, row: MessageRow): void {
  // deno-fmt-ignore
  db.run(INSERT, t, row.seq, row.id, code(row.role), row.depth, bit(row.silent), bit(row.deleted), changedAt(row),
    row.createdAt, row.turn, row.parentId, row.name, row.toolCallId, row.toolStatus, row.toolCalls, row.metadata,
    row.attachments, row.content);
}

function save(db: Statements, t: number, row: MessageRow): { readonly changes: number } {
  const { seq, deleted, metadata, attachments, content } = row;
  return db.run(SAVE, t, seq, bit(deleted), changedAt(row), metadata, attachments, content);
}

/** A thread's row knows its last messages, so that threads where something waits are found by an index of their own. */
function arrived(db: Statements, t: number, { role, seq, silent }: MessageRow): void {
  const counter = silent ? "hidden" : "shown";
  if (role !== "user" && role !== "assistant") {
    db.run(`UPDATE threads SET ${counter} = ${counter} + 1 WHERE t = ?1`, t);
    return;
  }
  const last = `last_${role}`;
  db.run(`UPDATE threads SET ${counter} = ${counter} + 1, ${last} = max(${last}, ?2) WHERE t = ?1`, t, seq);
}

/** After a deletion, or one taken back. */
function recount(db: Statements, t: number, { role, silent, deleted }: MessageRow): void {
  const counter = silent ? "hidden" : "shown";
  db.run(`UPDATE threads SET ${counter} = ${counter} ${deleted ? "-" : "+"} 1 WHERE t = ?1`, t);
  if (role !== "user" && role !== "assistant") return;
  const newest = db.get(`SELECT max(k) & 4294967295 AS seq FROM messages WHERE ${INBOUND}`, t, code(role));
  db.run(`UPDATE threads SET last_${role} = ?2 WHERE t = ?1`, t, newest?.seq ?? 0);
}

function code(role: MessageRole): number {
  return ROLES.indexOf(role);
}

/** A message from its row. */
export function toMessage(thread: string, row: Row): MessageRow {
  return {
    thread,
    seq: number(row, "seq"),
    rev: revision(row),
    id: text(row, "id"),
    role: ROLES[number(row, "role")]!,
    content: textOrNull(row, "content"),
    name: textOrNull(row, "name"),
    toolCalls: textOrNull(row, "tool_calls"),
    toolCallId: textOrNull(row, "tool_call_id"),
    toolStatus: textOrNull(row, "tool_status") as MessageRow["toolStatus"],
    createdAt: number(row, "created_at"),
    silent: truth(row, "silent"),
    metadata: textOrNull(row, "metadata"),
    attachments: textOrNull(row, "attachments"),
    parentId: textOrNull(row, "parent_id"),
    depth: number(row, "depth"),
    turn: textOrNull(row, "turn"),
    deleted: truth(row, "deleted"),
  };
}
