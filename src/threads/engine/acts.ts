import { HandlerError } from "../../base/mod.ts";
import type {
  MessageRow,
  SessionRow,
  ThreadReads,
  ThreadRow,
  ThreadWrites,
  TurnRow,
} from "../../store/mod.ts";
import type { AgentDefinition } from "../../wire/mod.ts";
import type { ThreadHost } from "../ports.ts";

/** A turn whose delivery is in the transaction; its function runs once that is committed. */
export interface Begun {
  readonly thread: ThreadRow;
  readonly turn: TurnRow;
  readonly message: MessageRow;
  readonly host: ThreadHost;
  readonly agent: AgentDefinition;
}

/**
 * One transaction's view of threads, and what has to follow once it is committed. A thread is read once and written
 * once, however many steps change it. Made anew each time the transaction is run.
 */
export class Acts {
  readonly #threads = new Map<string, ThreadRow>();
  readonly begun: Begun[] = [];
  /** Threads with something new for who watches them. */
  readonly changed: Set<string> = new Set();
  /** Threads that may have something to do. */
  readonly wake: { readonly project: string; readonly thread: string }[] = [];
  readonly ended: SessionRow[] = [];
  /** Threads that wait for a person from now on. */
  readonly parked: ThreadRow[] = [];
  /** Children that have gone quiet while their parent's turn waits for the end of their session. */
  readonly quiet: ThreadRow[] = [];
  /** Threads that were terminated. */
  readonly terminated: string[] = [];
  /** Whether the next due time of the effects may have changed. */
  effects = false;

  /** @throws {HandlerError} `not_found` */
  thread(tx: ThreadReads, id: string): ThreadRow {
    const known = this.#threads.get(id) ?? tx.thread(id);
    if (!known) throw noThread(id);
    this.#threads.set(id, known);
    return known;
  }

  /** A row that was read past this, as this transaction has it. */
  latest(row: ThreadRow): ThreadRow {
    return this.#threads.get(row.id) ?? row;
  }

  /** Takes a new thread, whose row is there already, among those that are written at the end. */
  adopt(thread: ThreadRow): void {
    this.#threads.set(thread.id, thread);
  }

  /** Writes every thread that was read for change. */
  save(tx: ThreadWrites): void {
    for (const thread of this.#threads.values()) tx.saveThread(thread);
  }
}

/** The error for a thread that is not there. */
export function noThread(id: string): HandlerError {
  return new HandlerError("not_found", `there is no thread ${id}`, { hint: "handler thread list" });
}
