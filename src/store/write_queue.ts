import type { Clock, Logger } from "../base/mod.ts";
import { errorText } from "../base/mod.ts";
import type { Database } from "../platform/mod.ts";
import { isStorageFailure } from "./failure.ts";

/** What a {@linkcode WriteQueue} needs. */
export interface WriteQueueOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long a write waits for others, in milliseconds. */
  readonly delayMs: number;
  /** How long after a failed write the next one is tried, in milliseconds. */
  readonly retryMs: number;
  /** How many writes are kept while the disk refuses them; the oldest go first. */
  readonly limit: number;
}

/**
 * Writes that nobody waits for, put together into one transaction (one flush of the disk for many records). A write
 * that fails is kept and tried again; it never fails the call that it records. The log says so once, not each time.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  #waiting: (() => void)[] = [];
  #forget: (() => void) | undefined;
  #failing = false;
  #dropped = 0;
  #closed = false;

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  /** Adds statements to the next transaction. */
  add(write: () => void): void {
    if (this.#closed) return;
    this.#waiting.push(write);
    const { limit, delayMs, retryMs } = this.#options;
    if (!this.#failing && 2 * this.#waiting.length > limit && this.flush()) return;
    if (this.#waiting.length > limit) {
      this.#waiting.shift();
      this.#dropped++;
    }
    this.#arm(this.#failing ? retryMs : delayMs);
  }

  /** Writes what waits, now. Returns whether nothing waits any more. */
  flush(): boolean {
    this.#forget?.();
    this.#forget = undefined;
    if (this.#waiting.length === 0) return true;
    const batch = this.#waiting;
    try {
      this.#write(batch);
    } catch (error) {
      this.#failed(error);
      return false;
    }
    this.#waiting = [];
    this.#recovered();
    return true;
  }

  /** Writes what waits for the last time; what the disk still refuses is lost, and the log says how much. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.flush()) this.#options.log.log("error", "records were lost", { lost: this.#waiting.length });
    this.#forget?.();
  }

  #arm(ms: number): void {
    this.#forget ??= this.#options.clock.after(ms, () => this.flush());
  }

  #write(batch: readonly (() => void)[]): void {
    const { db } = this.#options;
    try {
      db.relaxed(() => batch.forEach((write) => write()));
    } catch (error) {
      if (isStorageFailure(error)) throw error;
      this.#writeSingly(batch);
    }
  }

  /** One bad record must not hold back the others. */
  #writeSingly(batch: readonly (() => void)[]): void {
    const { db, log } = this.#options;
    for (const write of batch) {
      try {
        db.relaxed(write);
      } catch (error) {
        if (isStorageFailure(error)) throw error;
        log.log("error", "a record could not be stored", { reason: errorText(error) });
      }
    }
  }

  #failed(error: unknown): void {
    if (!this.#failing) {
      this.#options.log.log("error", "records cannot be stored; calls go on, records wait", {
        reason: errorText(error),
      });
    }
    this.#failing = true;
    this.#arm(this.#options.retryMs);
  }

  #recovered(): void {
    if (!this.#failing) return;
    this.#options.log.log("info", "records are stored again", { lost: this.#dropped });
    this.#failing = false;
    this.#dropped = 0;
  }
}
