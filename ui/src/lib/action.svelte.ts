import type { HandlerError } from "$client";
import { errorFrom } from "./client.ts";

/** Something that a person sets off: whether it is under way, and why it failed the last time. */
export class Action<A extends readonly unknown[], T> {
  running = $state(false);
  error = $state.raw<HandlerError | undefined>();
  readonly #work: (...args: A) => Promise<T>;

  constructor(work: (...args: A) => Promise<T>) {
    this.#work = work;
  }

  /** Does it, once at a time; what fails stands in `error` and gives undefined. */
  run = async (...args: A): Promise<T | undefined> => {
    if (this.running) return undefined;
    this.running = true;
    this.error = undefined;
    try {
      return await this.#work(...args);
    } catch (thrown) {
      this.error = errorFrom(thrown);
      return undefined;
    } finally {
      this.running = false;
    }
  };
}

/** An {@linkcode Action} for some work. */
export function action<A extends readonly unknown[], T>(work: (...args: A) => Promise<T>): Action<A, T> {
  return new Action(work);
}
