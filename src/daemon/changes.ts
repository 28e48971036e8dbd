import type { Change, Topic } from "../api/mod.ts";
import type { Clock } from "../base/mod.ts";

/** How often one thing is told again at most, in milliseconds. */
const PAUSE_MS = 200;

/** How many different things of all topics are kept apart; beyond it a topic is told as a whole. */
const APART = 256;

/**
 * Tells who watches what is other than it was. The first change of a thing is told at once; those that follow within a
 * fifth of a second are told together at its end. Who reads slowly finds one change for each thing, however often it
 * changed. Where nobody watches, nothing is kept.
 */
export class Changes {
  readonly #clock: Clock;
  readonly #watchers = new Set<Watcher>();
  /** Things that were told a moment ago, and whether they have changed since. */
  readonly #resting = new Map<string, { dirty: boolean }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether anybody would hear. */
  get watched(): boolean {
    return this.#watchers.size > 0;
  }

  /** Something is other than it was. */
  tell(topic: Topic, key: string | null = null): void {
    if (!this.watched) return;
    const one: Change = { topic, key: this.#resting.size < APART ? key : null };
    const known = this.#resting.get(nameOf(one));
    if (known) known.dirty = true;
    else this.#pass(one);
  }

  /** What changes from now on, until the signal aborts. */
  async *watch(signal: AbortSignal): AsyncGenerator<Change> {
    if (signal.aborted) return;
    const watcher = new Watcher();
    const end = () => watcher.end();
    signal.addEventListener("abort", end, { once: true });
    this.#watchers.add(watcher);
    try {
      yield* watcher.changes();
    } finally {
      this.#watchers.delete(watcher);
      signal.removeEventListener("abort", end);
    }
  }

  #pass(one: Change): void {
    for (const watcher of this.#watchers) watcher.take(one);
    const name = nameOf(one);
    const rest = { dirty: false };
    this.#resting.set(name, rest);
    this.#clock.after(PAUSE_MS, () => {
      this.#resting.delete(name);
      if (rest.dirty && this.watched) this.#pass(one);
    });
  }
}

function nameOf({ topic, key }: Change): string {
  return key === null ? topic : `${topic} ${key}`;
}

/** What one watcher has not taken yet. */
class Watcher {
  #waiting = new Map<string, Change>();
  #ended = false;
  #rouse = () => {};

  take(one: Change): void {
    const whole = this.#waiting.size < APART ? one : { ...one, key: null };
    this.#waiting.set(nameOf(whole), whole);
    this.#rouse();
  }

  end(): void {
    this.#ended = true;
    this.#rouse();
  }

  async *changes(): AsyncGenerator<Change> {
    while (!this.#ended) {
      const [first] = this.#waiting;
      if (first) {
        this.#waiting.delete(first[0]);
        yield first[1];
        continue;
      }
      await new Promise<void>((go) => this.#rouse = go);
    }
  }
}
