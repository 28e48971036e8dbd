import type { Clock } from "../../base/mod.ts";

/** Something that is to happen unless it is over before. */
interface Entry {
  readonly at: number;
  readonly fire: () => void;
  over: boolean;
}

/** So many entries are kept before those that are over are looked for. */
const FEW = 256;

/**
 * Deadlines that are all equally far away, so that the oldest is always the next: one timer stands for any number of
 * them, and most calls are over long before theirs.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #ms: number;
  #entries: Entry[] = [];
  #sweepAt = FEW;
  #forget: (() => void) | undefined;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  /** Calls `fire` after the time of this list, counted from `now`; the entry's `over` takes it back. */
  add(now: number, fire: () => void): Entry {
    const entry = { at: now + this.#ms, fire, over: false };
    this.#entries.push(entry);
    if (this.#entries.length > this.#sweepAt) this.#sweep();
    if (!this.#forget) this.#wait();
    return entry;
  }

  /** Forgets all of them; nothing fires any more. */
  close(): void {
    this.#forget?.();
    this.#entries = [];
  }

  /** Half of the list at least is new since the last time, so that a call's share of this stays small. */
  #sweep(): void {
    this.#entries = this.#entries.filter(({ over }) => !over);
    this.#sweepAt = Math.max(FEW, 2 * this.#entries.length);
  }

  #wait(): void {
    const first = this.#entries.find(({ over }) => !over);
    this.#entries = first ? this.#entries.slice(this.#entries.indexOf(first)) : [];
    if (!first) return;
    this.#forget = this.#clock.after(Math.max(0, first.at - this.#clock.monotonic()), () => {
      this.#forget = undefined;
      const now = this.#clock.monotonic();
      const due = this.#entries.filter((entry) => entry.at <= now && !entry.over);
      this.#entries = this.#entries.filter((entry) => entry.at > now);
      for (const { fire } of due) fire();
      this.#wait();
    });
  }
}
