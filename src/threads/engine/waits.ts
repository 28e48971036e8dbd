import { type Deferred, deferred, HandlerError } from "../../base/mod.ts";
import type { SessionRow } from "../../store/mod.ts";
import type { ActiveTurn } from "./active_turn.ts";

/** A turn that waits for the end of a child's session. */
export interface Wait {
  readonly by: ActiveTurn;
  readonly end: Deferred<SessionRow>;
}

/** Which turns wait for the end of which threads' sessions. */
export class Waits {
  readonly #of = new Map<string, Set<Wait>>();

  has(thread: string): boolean {
    return this.#of.has(thread);
  }

  /** The turns that wait for a thread. */
  for(thread: string): readonly Wait[] {
    return [...this.#of.get(thread) ?? []];
  }

  /** A session has ended. */
  ended(session: SessionRow): void {
    for (const { end } of this.#of.get(session.thread) ?? []) end.resolve(session);
  }

  /** A thread is terminated: a session that had not begun does not end any more. */
  terminated(thread: string): void {
    const reason = new HandlerError("conflict", `the thread ${thread} was terminated`);
    for (const { end } of this.#of.get(thread) ?? []) end.reject(reason);
  }

  /**
   * The end of a thread's session that `begin` sets going.
   * @throws what `begin` throws, the reason that the turn is aborted for, or that the thread is terminated
   */
  async until(thread: string, by: ActiveTurn, begin: () => Promise<void>): Promise<SessionRow> {
    const wait = { by, end: deferred<SessionRow>() };
    const all = this.#of.get(thread) ?? new Set();
    this.#of.set(thread, all.add(wait));
    const stop = () => wait.end.reject(by.signal.reason);
    by.signal.addEventListener("abort", stop, { once: true });
    try {
      await begin();
      return await wait.end.promise;
    } finally {
      by.signal.removeEventListener("abort", stop);
      all.delete(wait);
      if (all.size === 0) this.#of.delete(thread);
    }
  }
}
