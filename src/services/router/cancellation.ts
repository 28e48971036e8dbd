import type { CallFailure } from "./failure.ts";

/**
 * Says that a call is to stop, and why. It does what an `AbortSignal` does at a tenth of the cost, which counts on the
 * way of every call. A call waits for one thing at a time, so there is one listener at most.
 */
export class Cancellation {
  #reason: CallFailure | undefined;
  #listener: (() => void) | undefined;

  /** Why the call is to stop; undefined while it may go on. */
  get reason(): CallFailure | undefined {
    return this.#reason;
  }

  /** @throws the reason once there is one */
  throwIfCancelled(): void {
    if (this.#reason) throw this.#reason;
  }

  /** Calls `listener` once when the call is to stop; {@linkcode forget} takes it back. */
  onCancel(listener: () => void): void {
    this.#listener = listener;
  }

  /** What was waited for has come. */
  forget(): void {
    this.#listener = undefined;
  }

  /** Stops the call; a second reason counts for nothing. */
  cancel(reason: CallFailure): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#listener?.();
    this.#listener = undefined;
  }
}
