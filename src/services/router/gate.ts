import type { Cancellation } from "./cancellation.ts";
import { CallFailure } from "./failure.ts";

/** How many calls of one caller may wait for their turn before a further one is refused. */
const WAITING = 64;

/** Lets at most `limit` calls of one caller and interface run at a time; the others wait in order (contract S.13). */
export class Gate {
  readonly #limit: number;
  #running = 0;
  #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes a place at once where one is free. */
  tryEnter(): boolean {
    if (this.#running >= this.#limit) return false;
    this.#running++;
    return true;
  }

  /** Waits for a place; a cancelled call gives up waiting with its reason. */
  enter(cancellation: Cancellation): Promise<void> {
    if (this.tryEnter()) return Promise.resolve();
    if (this.#waiting.length >= WAITING) {
      const rule = `maxConcurrent is ${this.#limit} and ${WAITING} calls wait already`;
      return Promise.reject(new CallFailure("limit", rule));
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        cancellation.forget();
        resolve();
      };
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== enter);
        reject(cancellation.reason);
      };
      cancellation.onCancel(leave);
      this.#waiting.push(enter);
    });
  }

  /** Gives the place to the next one that waits. */
  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running--;
  }
}
