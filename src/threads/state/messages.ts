import { HandlerError, type Json } from "../../base/mod.ts";
import type { MessageQuery, MessageRow, Side, ThreadReads, ThreadRow } from "../../store/mod.ts";
import { seen } from "../../store/mod.ts";
import type { WireMessage } from "../../wire/mod.ts";
import { type Definitions, inboundRole, sideOf } from "../definitions.ts";
import { append, MESSAGE_LIMIT, type NewMessage, wireMessage } from "../engine/append.ts";
import { attachmentsOf } from "./attachments.ts";
import {
  countArgument,
  objectArgument,
  type RunContext,
  type StateMethod,
  textArgument,
  wordArgument,
} from "./context.ts";

const PAGE = 100;
const PAGE_LIMIT = 1000;
/** Characters of a page, and rows that are read at a time until their usual size is known. */
const PAGE_SIZE = 16 * 1024 * 1024, PART = 50;
const SIDES: readonly Side[] = ["a", "b"];

/** Whether a message still waits for a turn of a prompt or a handler. While no host is up, a thread at rest has none. */
export function isPending(thread: ThreadRow, row: MessageRow, definitions: Definitions): boolean {
  const agent = definitions.agents.get(thread.agent);
  if (row.depth > 0 || row.deleted || (row.content === null && row.toolCalls !== null)) return false;
  const { status, stopped, terminatedAt } = thread;
  if (terminatedAt !== null) return false;
  if (!agent && !stopped && status !== "running" && status !== "failed") return false;
  return SIDES.some((side) =>
    row.role === inboundRole(side) && (!agent || sideOf(agent, side).kind !== "human") &&
    row.seq > seen(thread, side)
  );
}

/** A page of messages as code sees it: the newest window, oldest first unless asked otherwise. */
export function readMessages(
  reads: ThreadReads,
  definitions: Definitions,
  thread: ThreadRow,
  query: {
    readonly limit: number;
    readonly offset: number;
    readonly order: "asc" | "desc";
    readonly includeSilent: boolean;
    readonly maxDepth: number;
  },
): { readonly messages: readonly WireMessage[]; readonly total: number; readonly hasMore: boolean } {
  const rows = readRows(reads, thread.id, query);
  const total = reads.countMessages(thread.id, query);
  return {
    messages: rows.map((row) => wireMessage(row, isPending(thread, row, definitions))),
    total,
    hasMore: query.offset + rows.length < total,
  };
}

/** A page of rows: the newest ones, or with `after` those that follow it. */
export function readRows(reads: ThreadReads, thread: string, query: MessageQuery): readonly MessageRow[] {
  const from = query.after === undefined ? "desc" : "asc";
  const rows = boundRows(reads, thread, { ...query, order: from });
  return query.order === from ? rows : rows.toReversed();
}

/** A page by its number of rows, and by its size: it is in memory whole, more than once. */
function boundRows(reads: ThreadReads, thread: string, query: MessageQuery): readonly MessageRow[] {
  const rows: MessageRow[] = [];
  let size = 0;
  while (rows.length < query.limit && size < PAGE_SIZE) {
    const fitting = rows.length === 0 ? PART : Math.ceil(PAGE_SIZE * rows.length / Math.max(1, size));
    const limit = Math.min(Math.max(PART, fitting), query.limit - rows.length);
    const part = reads.messages(thread, {
      ...query,
      limit,
      offset: query.offset + rows.length,
    });
    for (const row of part) {
      size += (row.content?.length ?? 0) + (row.toolCalls?.length ?? 0) + (row.metadata?.length ?? 0);
      if (size > PAGE_SIZE && rows.length > 0) return rows;
      rows.push(row);
    }
    if (part.length < limit) break;
  }
  return rows;
}

/** The messages of a thread (threads.md §3.2, §4). */
export const MESSAGE_METHODS: Readonly<Record<string, StateMethod>> = {
  getMessages(context, id, [given]) {
    const options = objectArgument("getMessages", "the options", given);
    const { store } = context.engine.ports;
    return readMessages(store, context.definitions, threadOf(store, id), {
      limit: Math.min(PAGE_LIMIT, countArgument("getMessages", "limit", options["limit"], PAGE)),
      offset: countArgument("getMessages", "offset", options["offset"], 0),
      order: wordArgument("getMessages", "order", options["order"], ["asc", "desc"], "asc"),
      includeSilent: options["includeSilent"] === true,
      maxDepth: countArgument("getMessages", "maxDepth", options["maxDepth"], 0),
    }) as unknown as Json;
  },

  getMessage(context, id, [message]) {
    const { store } = context.engine.ports;
    const row = store.message(id, textArgument("getMessage", "the id", message));
    if (!row || row.deleted) return null;
    return wireMessage(row, isPending(threadOf(store, id), row, context.definitions)) as unknown as Json;
  },

  async injectMessage(context, id, [given]) {
    const input = objectArgument("injectMessage", "the message", given);
    const roles = ["user", "assistant", "system", "tool"] as const;
    const role = wordArgument("injectMessage", "role", input["role"], roles, undefined);
    const message = await context.engine.hooks.beforeCreate(
      context,
      id,
      newMessage(context, id, input, role),
      true,
    );
    const row = await context.engine.write("process", (tx, acts) => {
      const thread = acts.thread(tx, id);
      if (message.id !== undefined && tx.message(id, message.id)) {
        throw new HandlerError("conflict", `the thread ${id} has a message ${message.id} already`);
      }
      const row = append(tx, acts, thread, message, context.engine.now());
      context.engine.saidAtRest(tx, acts, thread);
      return row;
    });
    const wire = wireMessage(row, false);
    context.engine.hooks.afterCreate(context, id, wire);
    return wire as unknown as Json;
  },

  async queueMessage(context, id, [given]) {
    const input = objectArgument("queueMessage", "the message", given);
    const asked = wordArgument("queueMessage", "role", input["role"], ["user", "assistant"], undefined);
    // a parent's word always enters a child as `user` (threads.md §4.2)
    const link = threadOf(context.engine.ports.store, id).link;
    const role = id !== context.thread && link?.parent === context.thread ? "user" : asked;
    const message = await context.engine.hooks.beforeCreate(
      context,
      id,
      newMessage(context, id, input, role),
    );
    const row = await context.engine.write("power", (tx, acts) => {
      const thread = acts.thread(tx, id);
      const row = append(tx, acts, thread, message, context.engine.now());
      context.engine.proceed(tx, acts, thread);
      return row;
    });
    context.engine.hooks.afterCreate(context, id, wireMessage(row, true));
    return undefined;
  },

  async updateMessage(context, id, [message, given]) {
    const updates = await context.engine.hooks.beforeUpdate(
      context,
      id,
      textArgument("updateMessage", "the id", message),
      objectArgument("updateMessage", "the updates", given),
    );
    checkSize(updates["content"], updates["metadata"]);
    const row = await context.engine.write("process", (tx, acts) => {
      const thread = acts.thread(tx, id);
      const row = tx.message(id, message as string);
      if (!row || row.deleted) throw noMessage(id, message as string);
      row.rev = ++thread.seq;
      if ("content" in updates) row.content = updates["content"] as string | null;
      if ("metadata" in updates) {
        const merged = {
          ...row.metadata === null ? {} : JSON.parse(row.metadata),
          ...objectArgument("updateMessage", "metadata", updates["metadata"]),
        };
        row.metadata = JSON.stringify(merged);
      }
      tx.saveMessage(row);
      acts.changed.add(id);
      return row;
    });
    const wire = wireMessage(
      row,
      isPending(threadOf(context.engine.ports.store, id), row, context.definitions),
    );
    context.engine.hooks.afterUpdate(context, id, wire);
    return wire as unknown as Json;
  },

  async deleteMessage(context, id, [message]) {
    const wanted = textArgument("deleteMessage", "the id", message);
    return await context.engine.write("process", (tx, acts) => {
      const thread = acts.thread(tx, id);
      const row = tx.message(id, wanted);
      if (!row || row.deleted) return false;
      Object.assign(row, {
        rev: ++thread.seq,
        content: null,
        metadata: null,
        attachments: null,
        deleted: true,
      });
      tx.saveMessage(row);
      acts.changed.add(id);
      return true;
    });
  },
};

/** @throws {HandlerError} `usage` for a message that would be too large to be read back in pages */
function checkSize(...parts: readonly (Json | undefined)[]): void {
  const sizes = parts.map((part) =>
    typeof part === "string" ? part.length : JSON.stringify(part ?? "").length
  );
  const size = sizes.reduce((sum, one) => sum + one, 0);
  if (size <= MESSAGE_LIMIT) return;
  throw new HandlerError("usage", `a message has at most ${MESSAGE_LIMIT} characters, not ${size}`, {
    hint: "write the rest into a file and attach it",
  });
}

/** @throws {HandlerError} `not_found` */
export function threadOf(reads: ThreadReads, id: string): ThreadRow {
  const thread = reads.thread(id);
  if (!thread) throw new HandlerError("not_found", `there is no thread ${id}`);
  return thread;
}

/** What is said of a message that is not there. */
export function noMessage(thread: string, id: string): HandlerError {
  return new HandlerError("not_found", `the thread ${thread} has no message ${id}`);
}

function newMessage(
  context: RunContext,
  thread: string,
  input: { readonly [key: string]: Json },
  role: NewMessage["role"],
): NewMessage {
  const { id, content, name, toolCallId, tool_calls, silent, metadata, attachments } = input;
  if (content !== null && typeof content !== "string") {
    throw new HandlerError(
      "usage",
      `a message's content is a text or null, not ${JSON.stringify(content ?? null)}`,
    );
  }
  checkSize(content, metadata, tool_calls);
  const marks = {
    ...objectArgument("message", "metadata", metadata),
    ...context.effect && { scheduledEffect: { ...context.effect } },
  };
  return {
    ...typeof id === "string" && { id },
    role,
    content,
    name: typeof name === "string" ? name : null,
    toolCallId: typeof toolCallId === "string" ? toolCallId : null,
    toolCalls: typeof tool_calls === "string" ? tool_calls : null,
    silent: silent === true,
    metadata: Object.keys(marks).length > 0 ? marks : null,
    attachments: attachmentsOf(context.engine.ports.store, thread, attachments),
    ...writtenBy(context, thread),
    depth: thread === context.thread ? context.depth : 0,
  };
}

/** Which turn a message comes from: one of the thread itself, or of another thread, which only lengthens the chain. */
function writtenBy(
  { engine, turn, thread: origin }: RunContext,
  thread: string,
): Pick<NewMessage, "turn" | "hops"> {
  if (!turn) return { turn: null };
  if (thread === origin) return { turn: turn.turn.id };
  return { turn: null, hops: threadOf(engine.ports.store, origin).hops + 1 };
}
