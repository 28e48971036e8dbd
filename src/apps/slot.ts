import { type Deferred, deferred, HandlerError } from "../base/mod.ts";
import type { Backend } from "./backend.ts";

/** What is known of one app's backend, and who holds it. */
export class Slot {
  backend: Backend | undefined;
  starting: Promise<Backend> | undefined;
  /** A backend that is being ended: nothing starts, and nobody copies the data, before it is gone. */
  stopping: Promise<void> | undefined;
  /** While a deploy or roll-back works on the app, calls wait for this. */
  held: Deferred<void> | undefined;
  /** Forgets the idle timer that runs. */
  forgetIdle: (() => void) | undefined;
  /** Starts that failed one after the other. */
  failures = 0;
  /** On the clock that only grows: no start is tried before. */
  notBefore = 0;
  failure: HandlerError | undefined;
  readonly #holders = new Set<Holder>();
  #drained: Deferred<void> | undefined;

  /** Counts a call that has, or waits for, the backend. */
  hold(): Holder {
    const holder: Holder = {
      stream: false,
      asStream: () => {
        holder.stream = true;
        this.#tellDrained();
      },
      release: () => {
        if (!this.#holders.delete(holder)) return false;
        this.#tellDrained();
        return true;
      },
    };
    this.#holders.add(holder);
    return holder;
  }

  get isHeld(): boolean {
    return this.#holders.size > 0;
  }

  /** Resolves once no call is under way but streams, which have no end of their own. */
  async drained(): Promise<void> {
    const { promise } = this.#drained ??= deferred();
    this.#tellDrained();
    await promise;
  }

  /** Lets whoever waits for {@linkcode drained} go on. */
  giveUpDraining(): void {
    this.#drained?.resolve();
    this.#drained = undefined;
  }

  #tellDrained(): void {
    if ([...this.#holders].every(({ stream }) => stream)) this.giveUpDraining();
  }
}

/** A call's hold on a backend. */
export interface Holder {
  stream: boolean;
  /** From now on it is a stream, which a deploy ends and does not wait for. */
  asStream(): void;
  /** @returns whether this was the call that released it */
  release(): boolean;
}
