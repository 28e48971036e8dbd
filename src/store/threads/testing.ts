/** What the tests of the threads' store share. */
import { silentLogger, TestClock } from "../../base/mod.ts";
import { openThreadStore } from "./open.ts";
import type { MessageQuery, PageQuery, ThreadStore } from "./ports.ts";
import type { EffectRow, FileRow, LogRow, MessageRow, SessionRow, ThreadRow, TurnRow } from "./records.ts";

/** A store that ends with the test. */
export function memoryStore(path = ":memory:"): Promise<ThreadStore> {
  return openThreadStore({ path, clock: new TestClock(), log: silentLogger });
}

/** A store with one thread `t1` in it. */
export async function storeWithThread(change: Partial<ThreadRow> = {}): Promise<ThreadStore> {
  const store = await memoryStore();
  await store.write("process", (tx) => tx.insertThread(threadRow("t1", change)));
  return store;
}

/** Everything, oldest first. */
export const ALL: PageQuery = { limit: 1_000_000, offset: 0, order: "asc" };

/** Every message that is not deleted, oldest first. */
export const ALL_MESSAGES: MessageQuery = { ...ALL, includeSilent: true, maxDepth: 99 };

/** A thread that rests. */
export function threadRow(id: string, change: Partial<ThreadRow> = {}): ThreadRow {
  return {
    id,
    project: "desk",
    agent: "clerk",
    person: null,
    title: null,
    description: null,
    createdAt: 1_700_000_000_000_000,
    link: null,
    arguments: "{}",
    terminatedAt: null,
    stopped: false,
    status: "idle",
    statusText: null,
    seq: 0,
    seenA: 0,
    seenB: 0,
    turn: null,
    session: 0,
    sessionOpen: false,
    turnsA: 0,
    turnsB: 0,
    hops: 0,
    ...change,
  };
}

/** A message of the thread `t1`; its id is `m` and its place. */
export function messageRow(seq: number, change: Partial<MessageRow> = {}): MessageRow {
  return {
    thread: "t1",
    seq,
    rev: seq,
    id: `m${seq}`,
    role: "user",
    content: `text ${seq}`,
    name: null,
    toolCalls: null,
    toolCallId: null,
    toolStatus: null,
    createdAt: 1_700_000_000_000_000,
    silent: false,
    metadata: null,
    attachments: null,
    parentId: null,
    depth: 0,
    turn: null,
    hops: 0,
    deleted: false,
    ...change,
  };
}

/** A turn of the thread `t1`; its id is `u` and its place. */
export function turnRow(seq: number, change: Partial<TurnRow> = {}): TurnRow {
  return {
    thread: "t1",
    seq,
    rev: seq,
    id: `u${seq}`,
    session: 1,
    side: "a",
    backing: "handler",
    name: "relay_pipe",
    messageId: "m1",
    state: "running",
    startedAt: 1_700_000_000_000_000,
    endedAt: null,
    stopCode: null,
    error: null,
    ...change,
  };
}

/** A log row of the thread `t1`; its id is `l` and its place. */
export function logRow(seq: number, change: Partial<LogRow> = {}): LogRow {
  return {
    thread: "t1",
    seq,
    rev: seq,
    id: `l${seq}`,
    turn: null,
    kind: "tool_execution",
    name: null,
    messageId: null,
    createdAt: 1_700_000_000_000_000,
    complete: false,
    latencyMs: null,
    error: null,
    data: "{}",
    ...change,
  };
}

/** An open session of the thread `t1`. */
export function sessionRow(number: number, change: Partial<SessionRow> = {}): SessionRow {
  const row = {
    thread: "t1",
    number,
    openedAt: 5,
    closedAt: null,
    reason: null,
    success: null,
    result: null,
  };
  return { ...row, ...change };
}

/** A pending effect of the thread `t1`. */
export function effectRow(id: string, scheduledAt: number, change: Partial<EffectRow> = {}): EffectRow {
  return {
    id,
    thread: "t1",
    name: "remind",
    args: "{}",
    scheduledAt,
    createdAt: 1,
    state: "pending",
    error: null,
    ...change,
  };
}

/** A file of the thread `t1`. */
export function fileRow(path: string, change: Partial<FileRow> = {}): FileRow {
  return {
    thread: "t1",
    path,
    mimeType: "text/plain",
    size: 12,
    isDirectory: false,
    metadata: null,
    createdAt: 1,
    updatedAt: 2,
    ...change,
  };
}
