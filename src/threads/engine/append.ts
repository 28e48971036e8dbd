import { HandlerError, type Json, newId } from "../../base/mod.ts";
import type {
  LoggedError,
  LogKind,
  LogRow,
  MessageRole,
  MessageRow,
  ThreadRow,
  ThreadWrites,
} from "../../store/mod.ts";
import type { WireMessage } from "../../wire/mod.ts";
import type { Acts } from "./acts.ts";

/** What a new message consists of; the rest has a default. */
export interface NewMessage {
  readonly id?: string;
  readonly role: MessageRole;
  readonly content: string | null;
  readonly name?: string | null;
  /** JSON text. */
  readonly toolCalls?: string | null;
  readonly toolCallId?: string | null;
  readonly toolStatus?: "success" | "error" | null;
  readonly silent?: boolean;
  readonly metadata?: { readonly [key: string]: Json } | null;
  readonly attachments?: readonly Json[] | null;
  readonly parentId?: string | null;
  readonly depth?: number;
  /** The turn of this thread that writes it; null for what comes from outside. */
  readonly turn: string | null;
  /** For what another thread's turn sends: one more than that turn's own message had. */
  readonly hops?: number;
}

/** Characters of a message's content; a longer one is cut here, where it was not refused before. */
export const MESSAGE_LIMIT = 4 * 1024 * 1024;

/** Adds a message at the end of a thread; the caller saves the thread. */
export function append(
  tx: ThreadWrites,
  acts: Acts,
  thread: ThreadRow,
  message: NewMessage,
  nowMs: number,
): MessageRow {
  if (thread.terminatedAt !== null) throw terminated(thread);
  const seq = ++thread.seq;
  const row: MessageRow = {
    thread: thread.id,
    seq,
    rev: seq,
    id: message.id ?? newId(nowMs),
    role: message.role,
    content: cut(message.content),
    name: message.name ?? null,
    toolCalls: message.toolCalls ?? null,
    toolCallId: message.toolCallId ?? null,
    toolStatus: message.toolStatus ?? null,
    createdAt: nowMs * 1000,
    silent: message.silent ?? false,
    metadata: message.metadata ? JSON.stringify(message.metadata) : null,
    attachments: message.attachments && message.attachments.length > 0
      ? JSON.stringify(message.attachments)
      : null,
    parentId: message.parentId ?? null,
    depth: message.depth ?? 0,
    turn: message.turn,
    hops: message.hops ?? (message.turn === null ? 0 : thread.hops + 1),
    deleted: false,
  };
  tx.insertMessage(row);
  acts.changed.add(thread.id);
  return row;
}

function cut(content: string | null): string | null {
  return content !== null && content.length > MESSAGE_LIMIT
    ? `${content.slice(0, MESSAGE_LIMIT - 1)}…`
    : content;
}

/** What a terminated thread answers to everything that would change it. */
export function terminated(thread: ThreadRow): HandlerError {
  return new HandlerError("conflict", `the thread ${thread.id} is terminated and takes nothing more`);
}

/** What a log row consists of; the rest has a default. */
export interface NewLog {
  readonly turn: string | null;
  readonly kind: LogKind;
  readonly name?: string | null;
  readonly messageId?: string | null;
  readonly complete?: boolean;
  readonly latencyMs?: number | null;
  readonly error?: LoggedError | null;
  readonly data?: { readonly [key: string]: Json };
}

/** Adds a row to a thread's log; the caller saves the thread. */
export function appendLog(
  tx: ThreadWrites,
  acts: Acts,
  thread: ThreadRow,
  log: NewLog,
  nowMs: number,
): LogRow {
  const seq = ++thread.seq;
  const row: LogRow = {
    thread: thread.id,
    seq,
    rev: seq,
    id: newId(nowMs),
    turn: log.turn,
    kind: log.kind,
    name: log.name ?? null,
    messageId: log.messageId ?? null,
    createdAt: nowMs * 1000,
    complete: log.complete ?? true,
    latencyMs: log.latencyMs ?? null,
    error: log.error ?? null,
    data: JSON.stringify(log.data ?? {}),
  };
  tx.insertLog(row);
  acts.changed.add(thread.id);
  return row;
}

/** A message as definitions and clients see it; `pending` while it waits for a turn. */
export function wireMessage(row: MessageRow, pending: boolean): WireMessage {
  return {
    id: row.id,
    role: row.role,
    content: row.content,
    ...row.name !== null && { name: row.name },
    ...row.toolCalls !== null && { tool_calls: row.toolCalls },
    ...row.toolCallId !== null && { tool_call_id: row.toolCallId },
    created_at: row.createdAt,
    status: pending ? "pending" : "completed",
    ...row.toolStatus !== null && { tool_status: row.toolStatus },
    ...row.silent && { silent: true },
    ...row.metadata !== null && { metadata: JSON.parse(row.metadata) },
    ...row.parentId !== null && { parent_id: row.parentId },
    ...row.depth > 0 && { depth: row.depth },
    ...row.attachments !== null && { attachments: JSON.parse(row.attachments) },
  };
}
