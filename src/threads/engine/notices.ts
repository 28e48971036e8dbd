import type { ThreadRow, ThreadWrites } from "../../store/mod.ts";
import { seen } from "../../store/mod.ts";
import { inboundRole } from "../definitions.ts";
import type { ThreadsPorts } from "../ports.ts";
import type { Acts } from "./acts.ts";
import type { ActiveTurn } from "./active_turn.ts";
import { appendLog } from "./append.ts";

/** After so many reports a ping-pong is stopped. */
const STOP_FACTOR = 10;
/** Characters of the last message that a person is told. */
const NOTE_LENGTH = 200;

/**
 * In a transaction: a chain of turns that answer each other, in one thread or across several, with no word from outside: the
 * log says so now and then, and at some length it is stopped, as by a person.
 */
export function notePingPong(
  tx: ThreadWrites,
  acts: Acts,
  thread: ThreadRow,
  every: number,
  nowMs: number,
): void {
  const { hops } = thread;
  if (hops === 0 || hops % every !== 0) return;
  const stopped = hops >= every * STOP_FACTOR;
  if (stopped) thread.stopped = true;
  appendLog(tx, acts, thread, {
    turn: null,
    kind: "ping_pong",
    data: {
      turns: hops,
      text: `${hops} turns without a word from outside${stopped ? "; the thread is stopped" : ""}`,
      wayOut:
        "set maxSessionTurns on the agent, answer conditionally, or end the session with state.stopSession()",
    },
  }, nowMs);
}

/**
 * In a transaction: a turn waits for a child that nothing will bring further by itself (seed §4): it has nothing to do, or it
 * waits for a person, whose word the turn itself keeps from getting there.
 */
export function noteDeadlock(
  tx: ThreadWrites,
  acts: Acts,
  { turn }: ActiveTurn,
  child: string,
  nowMs: number,
): void {
  const thread = acts.thread(tx, turn.thread);
  const behind = tx.nextInbound(thread.id, inboundRole(turn.side), seen(thread, turn.side)) !== undefined;
  const asks = tx.thread(child)?.status === "awaiting_human";
  appendLog(tx, acts, thread, {
    turn: turn.id,
    kind: "deadlock",
    name: turn.name,
    data: {
      child,
      messagesBehind: behind,
      text: `this turn waits for the session of ${child}, which ${
        asks ? "waits for a person" : "has nothing to do and is not ended"
      }; what is said to this thread meanwhile waits behind the turn`,
      wayOut: `${asks ? `handler thread answer ${child} goes on with it; ` : ""}${WAY_OUT}`,
    },
  }, nowMs);
}

const WAY_OUT =
  "handler thread stop ends the turn; a child should end with stopSession or a session tool, or be reached with queueMessage instead of waiting for it";

/** Tells the person whose thread it is that it waits for them. */
export function tellPerson(ports: ThreadsPorts, thread: ThreadRow): void {
  const text = (ports.store.lastMessage(thread.id)?.content ?? "").slice(0, NOTE_LENGTH);
  ports.notify(thread.person, `${thread.title ?? thread.agent} waits for you`, text, thread.id);
}
