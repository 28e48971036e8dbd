import type { Clock } from "../../src/base/mod.ts";
import { aRound, type Pace } from "./pace.ts";
import type { ThreadStore } from "../../src/store/mod.ts";

/** The ways out of a process that may be killed: afterwards nothing that it asked for happens, and nothing answers it. */
export class Mortal {
  readonly clock: Clock;
  #dead = false;
  readonly #stores: ThreadStore[] = [];
  /** Alarms that are set; a dead process has none. */
  readonly #alarms = new Set<() => void>();

  readonly #pace: Pace;

  constructor(clock: Clock, pace: Pace) {
    this.#pace = pace;
    this.clock = {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after: (ms, fire) => {
        if (this.#dead) return () => {};
        const forget = clock.after(ms, () => {
          this.#alarms.delete(stop);
          fire();
        });
        const stop = () => {
          this.#alarms.delete(stop);
          forget();
        };
        this.#alarms.add(stop);
        return stop;
      },
    };
  }

  /** A store that a dead process writes nothing to: what waits for its commit is lost. */
  store(real: ThreadStore): ThreadStore {
    this.#stores.push(real);
    const write: ThreadStore["write"] = (durability, work) => {
      const done = this.#dead ? new Promise<never>(() => {}) : real.write(durability, (tx) => {
        if (this.#dead) throw new Error("killed");
        return work(tx);
      });
      const stored = this.#pace() ? done.finally(aRound) : done;
      return new Promise((resolve, reject) =>
        stored.then((value) => this.#dead || resolve(value), (error) => this.#dead || reject(error))
      );
    };
    return { ...real, write };
  }

  die(): void {
    this.#dead = true;
    for (const stop of [...this.#alarms]) stop();
  }

  /** Closes what a dead one still reads from: what runs in the test's own process cannot be stopped from looking. */
  bury(): void {
    for (const store of this.#stores) store.close();
  }
}
