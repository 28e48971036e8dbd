import { newId } from "../../src/base/mod.ts";
import type { MessageRow, ThreadRow, ThreadStore, TurnRow } from "../../src/store/mod.ts";

/** A thread that rests. */
export function threadFor(id: string): ThreadRow {
  // deno-fmt-ignore
  return { id, project: "desk", agent: "clerk", person: null, title: null, description: null,
    createdAt: Date.now() * 1000, link: null, arguments: "{}", terminatedAt: null, stopped: false, status: "idle",
    statusText: null, seq: 0, seenA: 0, seenB: 0, turn: null, session: 1, sessionOpen: true, turnsA: 0, turnsB: 0,
    hops: 0 };
}

/** A message with a default for what its maker does not say. */
export function messageFor(
  thread: string,
  seq: number,
  role: MessageRow["role"],
  content: string,
): MessageRow {
  // deno-fmt-ignore
  return { thread, seq, rev: seq, id: newId(), role, content, name: null, toolCalls: null, toolCallId: null,
    toolStatus: null, createdAt: Date.now() * 1000, silent: false, metadata: null, attachments: null, parentId: null,
    depth: 0, turn: null, hops: 0, deleted: false };
}

/**
 * One turn as the engine makes it where the thread rests: a message in and its delivery, durable; the answer, which the
 * next durable write makes last; the outcome and a look for more to do, durable.
 */
export async function storeTurn(store: ThreadStore, { id }: ThreadRow, body: string): Promise<void> {
  const turn = await store.write("power", (tx) => {
    const thread = tx.thread(id)!;
    tx.insertMessage(messageFor(id, ++thread.seq, "user", body));
    const message = tx.nextInbound(id, "user", thread.seenA)!;
    thread.seenA = message.seq;
    const row = turnFor(id, ++thread.seq, message.id);
    tx.insertTurn(row);
    thread.turn = row.id;
    thread.status = "running";
    tx.saveThread(thread);
    return row;
  });
  await store.write("process", (tx) => {
    const thread = tx.thread(id)!;
    tx.insertMessage(messageFor(id, ++thread.seq, "assistant", body));
    tx.saveThread(thread);
  });
  await store.write("power", (tx) => {
    const thread = tx.thread(id)!;
    tx.saveTurn({ ...turn, rev: ++thread.seq, state: "done", endedAt: Date.now() * 1000 });
    thread.turn = null;
    thread.status = tx.nextInbound(id, "user", thread.seenA) || tx.pendingEffects(id).length
      ? "running"
      : "idle";
    if (tx.children(id).length === 0) thread.turnsA++;
    tx.saveThread(thread);
  });
}

function turnFor(thread: string, seq: number, messageId: string): TurnRow {
  // deno-fmt-ignore
  return { thread, seq, rev: seq, id: newId(), session: 1, side: "a", backing: "handler", name: "echo", messageId,
    state: "running", startedAt: Date.now() * 1000, endedAt: null, stopCode: null, error: null };
}
