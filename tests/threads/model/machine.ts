import type { Side } from "../../../src/store/mod.ts";

/** How the sides of a thread's agent are backed, and its cap. */
export interface ModelAgent {
  readonly a: "handler" | "human";
  readonly b: "handler" | "human";
  readonly cap: number | undefined;
}

/** What happens to a thread, in the order of its one sequence. */
export type ModelEvent =
  | {
    readonly kind: "message";
    readonly seq: number;
    readonly role: "user" | "assistant";
    /** It came from another thread or from a person, not from a turn of the thread. */
    readonly outside: boolean;
    /** A person said it for the human side. */
    readonly byHuman: boolean;
  }
  | { readonly kind: "deleted"; readonly seq: number }
  | { readonly kind: "begin"; readonly turn: string; readonly side: Side; readonly message: number }
  | { readonly kind: "end"; readonly turn: string; readonly stopsSession: boolean };

interface Waiting {
  readonly seq: number;
  readonly side: Side;
  readonly outside: boolean;
}

/** A thread as the chapter has it: what waits, whose turn it is, the session. Throws where something is not as it should be. */
export interface ModelThread {
  readonly agent: ModelAgent;
  readonly waiting: readonly Waiting[];
  readonly turn: { readonly id: string; readonly side: Side } | null;
  readonly sessionOpen: boolean;
  readonly sessions: number;
  readonly turnsA: number;
  readonly turnsB: number;
  /** The sessions that the cap ended. */
  readonly capped: readonly number[];
}

/** A new thread. */
export function begun(agent: ModelAgent): ModelThread {
  return {
    agent,
    waiting: [],
    turn: null,
    sessionOpen: false,
    sessions: 0,
    turnsA: 0,
    turnsB: 0,
    capped: [],
  };
}

/** The message that has to be given next, if any may be: the earliest, of whichever side. */
export function next(thread: ModelThread): Waiting | undefined {
  if (thread.turn !== null) return undefined;
  if (!thread.sessionOpen && !thread.waiting.some(({ outside }) => outside)) return undefined;
  return thread.waiting[0];
}

/** The thread after something happened. @throws where it may not happen */
export function after(thread: ModelThread, event: ModelEvent): ModelThread {
  switch (event.kind) {
    case "message":
      return arrived(thread, event);
    case "deleted":
      return { ...thread, waiting: thread.waiting.filter(({ seq }) => seq !== event.seq) };
    case "begin":
      return beginning(thread, event);
    case "end":
      return ended(thread, event);
  }
}

function arrived(thread: ModelThread, message: ModelEvent & { readonly kind: "message" }): ModelThread {
  const side = message.role === "user" ? "a" : "b";
  const { seq, outside } = message;
  const acts = thread.agent[side] === "handler";
  const waiting = acts ? [...thread.waiting, { seq, side, outside } as const] : thread.waiting;
  if (!message.byHuman) return { ...thread, waiting };
  return atCap(counted({ ...opened(thread), waiting }, side === "a" ? "b" : "a"));
}

function beginning(thread: ModelThread, event: ModelEvent & { readonly kind: "begin" }): ModelThread {
  if (thread.turn) throw new Error(`the turn ${event.turn} begins before ${thread.turn.id} has ended`);
  const due = next(thread);
  if (due?.seq !== event.message || due.side !== event.side) {
    const wanted = due ? `${due.seq} is due to side ${due.side}` : "none is due";
    throw new Error(`message ${event.message} is given to side ${event.side}, ${wanted}`);
  }
  const waiting = thread.waiting.filter(({ seq }) => seq !== event.message);
  return { ...opened(thread), waiting, turn: { id: event.turn, side: event.side } };
}

function ended(thread: ModelThread, event: ModelEvent & { readonly kind: "end" }): ModelThread {
  const { turn } = thread;
  if (turn?.id !== event.turn) {
    throw new Error(`the turn ${event.turn} ends, under way is ${turn?.id ?? "none"}`);
  }
  const over = counted({ ...thread, turn: null }, turn.side);
  return event.stopsSession ? { ...over, sessionOpen: false } : atCap(over);
}

function opened(thread: ModelThread): ModelThread {
  if (thread.sessionOpen) return thread;
  return { ...thread, sessionOpen: true, sessions: thread.sessions + 1, turnsA: 0, turnsB: 0 };
}

function counted(thread: ModelThread, side: Side): ModelThread {
  return side === "a" ? { ...thread, turnsA: thread.turnsA + 1 } : { ...thread, turnsB: thread.turnsB + 1 };
}

function atCap(thread: ModelThread): ModelThread {
  const { cap } = thread.agent;
  if (cap === undefined || !thread.sessionOpen || Math.min(thread.turnsA, thread.turnsB) < cap) return thread;
  return { ...thread, sessionOpen: false, capped: [...thread.capped, thread.sessions] };
}
