import type { Json } from "../../base/mod.ts";
import type { WatchEvent } from "../facade.ts";
import { SaidSoFar } from "./said_so_far.ts";

/** What a watcher of one thread is told: that something changed, and what is of the moment alone. */
export interface Watcher {
  changed(): void;
  passing(event: WatchEvent): void;
}

/** Who watches which thread. */
export class Watchers {
  readonly #of = new Map<string, Set<Watcher>>();
  readonly #endings = new Set<() => void>();
  readonly #said = new SaidSoFar();
  readonly #listeners = new Set<(thread: string) => void>();

  /** Adds a watcher, and tells it what is being said; what it gives takes it out again. */
  add(thread: string, watcher: Watcher, end: () => void): () => void {
    let all = this.#of.get(thread);
    if (!all) this.#of.set(thread, all = new Set());
    all.add(watcher);
    this.#endings.add(end);
    for (const event of this.#said.of(thread)) watcher.passing(event);
    return () => {
      this.#endings.delete(end);
      all.delete(watcher);
      if (all.size === 0 && this.#of.get(thread) === all) this.#of.delete(thread);
    };
  }

  /** Calls `listener` with each thread in which something is new, or that is gone. */
  onChange(listener: (thread: string) => void): void {
    this.#listeners.add(listener);
  }

  /** Tells those who watch these threads that there is something new. */
  changed(threads: ReadonlySet<string>): void {
    for (const listener of this.#listeners) threads.forEach(listener);
    if (this.#of.size === 0) return;
    for (const thread of threads) {
      for (const watcher of this.#of.get(thread) ?? []) watcher.changed();
    }
  }

  /** A piece of an answer, a progress. */
  delta(thread: string, data: Json): void {
    this.#pass(thread, { event: "delta", data });
  }

  /** A definition's own event. */
  custom(thread: string, name: string, data: Json): void {
    this.#pass(thread, { event: "custom", name, data });
  }

  /** Ends every watch. */
  close(): void {
    for (const end of [...this.#endings]) end();
  }

  #pass(thread: string, event: WatchEvent): void {
    this.#said.take(thread, event);
    for (const watcher of this.#of.get(thread) ?? []) watcher.passing(event);
  }
}
