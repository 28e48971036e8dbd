import { HandlerError } from "../../base/mod.ts";
import type { Row } from "../../platform/mod.ts";
import { number, text, textOrNull } from "../rows.ts";
import { bit, changedAt, inserting, LAST_PLACE, mustChange, revision, truth } from "./columns.ts";
import type { MessageQuery, ThreadReads, ThreadWrites } from "./ports.ts";
import type { MessageRole, MessageRow } from "./records.ts";
import type { Statements } from "./statements.ts";
import type { Notes, ThreadCache } from "./thread_cache.ts";

/** A role is kept as its place here: it stands in an index that every message is written to. */
const ROLES: readonly MessageRole[] = ["user", "assistant", "tool", "system"];

/** Every column, with the place in the thread as `seq`. */
const SELECT = `SELECT seq, id, role, depth, silent, deleted, changed, created_at, turn, hops, parent_id,
  name, tool_call_id, tool_status, tool_calls, metadata, attachments, content FROM messages`;

const INSERT =
  `INSERT INTO messages (t, seq, id, role, depth, silent, deleted, changed, created_at, turn, hops, parent_id, name,
  tool_call_id, tool_status, tool_calls, metadata, attachments, content)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)`;

const SAVE = `UPDATE messages SET deleted = ?3, changed = ?4, metadata = ?5, attachments = ?6, content = ?7
  WHERE t = ?1 AND seq = ?2`;

/** The conversation itself, read off the index alone until a row is wanted. */
const TOP_LEVEL = "t = ?1 AND depth = 0 AND deleted = 0";

type Reads = Pick<ThreadReads, "message" | "nextInbound" | "lastMessage" | "messages" | "countMessages">;
type Writes = Pick<ThreadWrites, "insertMessage" | "saveMessage">;

/** Reads of messages. */
export function messageReads(db: Statements, threads: ThreadCache): Reads {
  const one = (thread: string, sql: string, ...values: (string | number)[]) => {
    const t = threads.key(thread);
    const row = t === undefined ? undefined : db.get(sql, t, ...values);
    return row && toMessage(thread, row);
  };
  return {
    message: (thread, id) => one(thread, `${SELECT} WHERE id = ?2 AND t = ?1`, id),
    nextInbound(thread, role, afterSeq) {
      if (!mayHave(threads, thread, role, afterSeq)) return undefined;
      return one(
        thread,
        `${SELECT} WHERE ${TOP_LEVEL} AND role = ?2 AND seq > ?3 ORDER BY seq LIMIT 1`,
        code(role),
        afterSeq,
      );
    },
    lastMessage(thread, role) {
      if (role === undefined) return one(thread, `${SELECT} WHERE ${TOP_LEVEL} ORDER BY seq DESC LIMIT 1`);
      return one(thread, `${SELECT} WHERE ${TOP_LEVEL} AND role = ?2 ORDER BY seq DESC LIMIT 1`, code(role));
    },
    messages: (thread, query) => list(db, threads, thread, query),
    countMessages: (thread, query) => count(db, threads, thread, query),
  };
}

/** What was noted spares the search where nothing can be found. */
function mayHave(threads: ThreadCache, thread: string, role: MessageRole, afterSeq: number): boolean {
  const known = threads.get(thread);
  if (!known) return false;
  if (role === "user") return known.notes.lastUser > afterSeq;
  if (role === "assistant") return known.notes.lastAssistant > afterSeq;
  return true;
}

function list(
  db: Statements,
  threads: ThreadCache,
  thread: string,
  query: MessageQuery,
): readonly MessageRow[] {
  const t = threads.key(thread);
  if (t === undefined) return [];
  const order = query.order === "asc" ? "ASC" : "DESC";
  const { maxDepth, includeSilent, limit, offset, after = 0, before = LAST_PLACE } = query;
  const sql =
    `${SELECT} WHERE t = ?1 AND seq > ?6 AND seq < ?7 AND depth <= ?2 AND silent <= ?3 AND deleted = 0
    ORDER BY seq ${order} LIMIT +?4 OFFSET +?5`;
  const rows = db.all(sql, t, maxDepth, bit(includeSilent), limit, offset, after, before);
  return rows.map((row) => toMessage(thread, row));
}

/** Top-level rows are counted as they come; what sub-prompts wrote is counted when somebody asks. */
function count(
  db: Statements,
  threads: ThreadCache,
  thread: string,
  { includeSilent, maxDepth }: Pick<MessageQuery, "includeSilent" | "maxDepth">,
): number {
  const known = threads.get(thread);
  if (!known) return 0;
  const top = known.notes.shown + (includeSilent ? known.notes.hidden : 0);
  if (maxDepth === 0) return top;
  const sql = `SELECT count(*) AS n FROM messages
    WHERE t = ?1 AND depth BETWEEN 1 AND ?2 AND silent <= ?3 AND deleted = 0`;
  const deep = db.get(sql, known.t, maxDepth, bit(includeSilent));
  return top + (deep ? number(deep, "n") : 0);
}

/** Writes of messages. */
export function messageWrites(db: Statements, threads: ThreadCache): Writes {
  return {
    insertMessage(row) {
      const known = threads.must(row.thread);
      inserting(`the message ${row.id}`, () => insert(db, known.t, row));
      if (row.depth === 0 && !row.deleted) threads.note(known, (notes) => arrived(notes, row));
    },
    saveMessage(row) {
      const known = threads.must(row.thread);
      const before = db.get("SELECT deleted FROM messages WHERE t = ? AND seq = ?", known.t, row.seq);
      mustChange(`message ${row.id}`, save(db, known.t, row));
      if (row.depth > 0 || !before || truth(before, "deleted") === row.deleted) return;
      threads.note(known, (notes) => recount(db, known.t, notes, row));
    },
  };
}

function insert(db: Statements, t: number, row: MessageRow): void {
  // deno-fmt-ignore
  db.run(INSERT, t, row.seq, row.id, code(row.role), row.depth, bit(row.silent), bit(row.deleted), changedAt(row),
    row.createdAt, row.turn, row.hops, row.parentId, row.name, row.toolCallId, row.toolStatus, row.toolCalls, row.metadata,
    row.attachments, row.content);
}

function save(db: Statements, t: number, row: MessageRow): { readonly changes: number } {
  const { seq, deleted, metadata, attachments, content } = row;
  return db.run(SAVE, t, seq, bit(deleted), changedAt(row), metadata, attachments, content);
}

/** A thread's row knows its last messages, so that threads where something waits are found by an index of their own. */
function arrived(notes: Notes, { role, seq, silent }: MessageRow): void {
  if (silent) notes.hidden++;
  else notes.shown++;
  if (role === "user") notes.lastUser = Math.max(notes.lastUser, seq);
  if (role === "assistant") notes.lastAssistant = Math.max(notes.lastAssistant, seq);
}

/** After a deletion, or one taken back. */
function recount(db: Statements, t: number, notes: Notes, { role, silent, deleted }: MessageRow): void {
  notes[silent ? "hidden" : "shown"] += deleted ? -1 : 1;
  if (role !== "user" && role !== "assistant") return;
  const sql = `SELECT seq FROM messages WHERE ${TOP_LEVEL} AND role = ?2 ORDER BY seq DESC LIMIT 1`;
  const newest = db.get(sql, t, code(role));
  notes[role === "user" ? "lastUser" : "lastAssistant"] = newest ? number(newest, "seq") : 0;
}

function code(role: MessageRole): number {
  const place = ROLES.indexOf(role);
  if (place < 0) {
    throw new HandlerError("invalid", `a message's role is one of ${ROLES.join(", ")}, found ${role}`);
  }
  return place;
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
    hops: number(row, "hops"),
    deleted: truth(row, "deleted"),
  };
}
