import { type Json, newId } from "../../base/mod.ts";
import type {
  LoggedError,
  MessageRow,
  SessionRow,
  Side,
  ThreadReads,
  ThreadRow,
  ThreadWrites,
  TurnRow,
  TurnState,
} from "../../store/mod.ts";
import { seen } from "../../store/mod.ts";
import type { AgentDefinition } from "../../wire/mod.ts";
import { inboundRole, siblingOf, sideOf } from "../definitions.ts";
import type { Acts, Begun } from "./acts.ts";

const SIDES: readonly Side[] = ["a", "b"];

/** What waits, and for whom. */
export interface Waiting {
  readonly side: Side;
  readonly message: MessageRow;
}

/**
 * The earliest message that no side has been given yet and that a prompt or a handler would act on. Where the session has
 * ended, what the thread's own turns left behind does not open a new one: that takes a message from outside.
 */
export function nextWaiting(tx: ThreadReads, thread: ThreadRow, agent: AgentDefinition): Waiting | undefined {
  let first: Waiting | undefined, outside = thread.sessionOpen;
  for (const side of SIDES) {
    if (sideOf(agent, side).kind === "human") continue;
    const role = inboundRole(side);
    let message = nextSaid(tx, thread.id, role, seen(thread, side));
    if (message && (!first || message.seq < first.message.seq)) first = { side, message };
    while (message && !outside) {
      outside = message.turn === null;
      if (!outside) message = nextSaid(tx, thread.id, role, message.seq);
    }
  }
  return outside ? first : undefined;
}

/** The next message that says something: a row with which a model only calls tools is nobody else's to act on. */
function nextSaid(
  tx: ThreadReads,
  thread: string,
  role: "user" | "assistant",
  after: number,
): MessageRow | undefined {
  let message = tx.nextInbound(thread, role, after);
  while (message && message.content === null && message.toolCalls !== null) {
    message = tx.nextInbound(thread, role, message.seq);
  }
  return message;
}

/**
 * Gives what waits to the side that it is for, if nothing is under way: the delivery is part of the transaction, the
 * function runs after it.
 */
export function beginTurn(
  tx: ThreadWrites,
  acts: Acts,
  thread: ThreadRow,
  agent: AgentDefinition,
  nowMs: number,
): Pick<Begun, "turn" | "message"> | undefined {
  if (thread.turn !== null || thread.stopped || thread.terminatedAt !== null) return undefined;
  const waiting = nextWaiting(tx, thread, agent);
  if (!waiting) return undefined;
  const { side, message } = waiting;
  const backing = sideOf(agent, side);
  if (backing.kind === "human") return undefined;
  openSession(tx, thread, nowMs);
  markSeen(thread, side, message.seq);
  const seq = ++thread.seq;
  const turn: TurnRow = {
    thread: thread.id,
    seq,
    rev: seq,
    id: newId(nowMs),
    session: thread.session,
    side,
    backing: backing.kind,
    name: backing.kind === "handler" ? backing.handler : backing.prompt,
    messageId: message.id,
    state: "running",
    startedAt: nowMs * 1000,
    endedAt: null,
    stopCode: null,
    error: null,
  };
  tx.insertTurn(turn);
  thread.turn = turn.id;
  thread.status = "running";
  thread.hops = message.hops;
  acts.changed.add(thread.id);
  return { turn, message };
}

/** Says up to where a side has been given what is for it. */
export function markSeen(thread: ThreadRow, side: Side, seq: number): void {
  if (side === "a") thread.seenA = Math.max(thread.seenA, seq);
  else thread.seenB = Math.max(thread.seenB, seq);
}

/** What is there for a person is theirs to read: nothing of it waits for a turn. */
export function seenByPersons(thread: ThreadRow, agent: AgentDefinition): void {
  for (const side of SIDES) {
    if (sideOf(agent, side).kind === "human") markSeen(thread, side, thread.seq);
  }
}

/** How a turn went. */
export interface TurnEnd {
  readonly state: Exclude<TurnState, "running">;
  readonly error: LoggedError | null;
  readonly stopCode: string | null;
}

/** Closes a turn's row and counts it; the caller goes on with the thread and saves it. */
export function closeTurn(
  tx: ThreadWrites,
  acts: Acts,
  thread: ThreadRow,
  turn: TurnRow,
  end: TurnEnd,
  nowMs: number,
): void {
  turn.rev = ++thread.seq;
  turn.state = end.state;
  turn.error = end.error;
  turn.stopCode = end.stopCode;
  turn.endedAt = nowMs * 1000;
  tx.saveTurn(turn);
  if (thread.turn === turn.id) thread.turn = null;
  acts.changed.add(thread.id);
  if (thread.sessionOpen && thread.session === turn.session) countTurn(thread, turn.side);
}

/** Counts a completed turn of a side, a person's message too (threads.md §6.2). */
export function countTurn(thread: ThreadRow, side: Side): void {
  if (side === "a") thread.turnsA++;
  else thread.turnsB++;
}

/** Whether the exchanges of the session have reached the agent's cap. */
export function capReached(thread: ThreadRow, agent: AgentDefinition): boolean {
  return agent.maxSessionTurns !== undefined && thread.sessionOpen &&
    Math.min(thread.turnsA, thread.turnsB) >= agent.maxSessionTurns;
}

/** Opens a session where none is. */
export function openSession(tx: ThreadWrites, thread: ThreadRow, nowMs: number): void {
  if (thread.sessionOpen) return;
  thread.session++;
  thread.sessionOpen = true;
  thread.turnsA = thread.turnsB = 0;
  thread.statusText = null;
  tx.putSession({
    thread: thread.id,
    number: thread.session,
    openedAt: nowMs * 1000,
    closedAt: null,
    reason: null,
    success: null,
    result: null,
  });
}

/** Why and how a session ends. */
export interface SessionEnd {
  readonly reason: string;
  readonly success: boolean;
  readonly result: string;
  /** Files of the parent's that go with the report to it. */
  readonly attachments?: readonly Json[];
}

/** Closes the session that is open; undefined where none is. */
export function closeSession(
  tx: ThreadWrites,
  acts: Acts,
  thread: ThreadRow,
  end: SessionEnd,
  nowMs: number,
): SessionRow | undefined {
  if (!thread.sessionOpen) return undefined;
  const known = tx.session(thread.id, thread.session);
  const row: SessionRow = {
    thread: thread.id,
    number: thread.session,
    openedAt: known?.openedAt ?? nowMs * 1000,
    closedAt: nowMs * 1000,
    reason: end.reason,
    success: end.success,
    result: end.result,
  };
  tx.putSession(row);
  thread.sessionOpen = false;
  acts.ended.push(row);
  acts.changed.add(thread.id);
  return row;
}

/** Whether a person has something to answer: the last thing said aloud is for a human side. */
export function awaitsHuman(tx: ThreadReads, thread: ThreadRow, agent: AgentDefinition): boolean {
  for (const side of SIDES) {
    if (sideOf(agent, side).kind !== "human" || sideOf(agent, siblingOf(side)).kind === "human") continue;
    const last = tx.lastMessage(thread.id);
    return last !== undefined && !last.silent && last.role === inboundRole(side);
  }
  return false;
}
