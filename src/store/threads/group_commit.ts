import { type Clock, HandlerError, type Logger } from "../../base/mod.ts";
import type { Database } from "../../platform/mod.ts";
import { isStorageFailure, storeError } from "../failure.ts";
import type { Durability } from "./ports.ts";

/** What a {@linkcode GroupCommit} needs. */
export interface GroupCommitOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called whenever what works did was undone. */
  readonly takenBack: () => void;
}

/** A work that waits for its transaction. */
interface Waiting {
  readonly durability: Durability;
  readonly run: () => void;
  readonly committed: () => void;
  readonly failed: (error: unknown) => void;
}

/** A transaction starts once so many steps of other promises have passed in which nothing more was asked for. */
const QUIET_STEPS = 8;
/** So many works are a group, even if more keep coming. */
const LARGEST = 1000;
/** A commit that takes longer, in milliseconds, is worth a line: the disk is what everything waits for. */
const SLOW = 1000;

/**
 * Puts the works that are asked for in one moment into one transaction, so that one flush of the disk serves them all.
 * A work that throws is taken back alone; a disk that refuses fails the whole group, and the next one is tried anew.
 */
export class GroupCommit {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #takenBack: () => void;
  #waiting: Waiting[] = [];
  #gathering = false;
  #failing = false;
  #closed = false;

  constructor({ db, clock, log, takenBack }: GroupCommitOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#takenBack = takenBack;
  }

  /** Settles once `work` is committed, or with what it threw. */
  add<T>(durability: Durability, work: () => T): Promise<T> {
    if (this.#closed) {
      return Promise.reject(new HandlerError("unavailable", "storing threads: the store is closed"));
    }
    return new Promise((resolve, reject) => {
      let result: T;
      const run = () => {
        result = work();
        if (result instanceof Promise) throw new TypeError("the work of a write has to be synchronous");
      };
      this.#waiting.push({ durability, run, committed: () => resolve(result), failed: reject });
      this.#gather();
    });
  }

  /** Commits what waits, now, and takes nothing more. */
  close(): void {
    this.#closed = true;
    this.#commit();
  }

  #gather(): void {
    if (this.#gathering) return;
    this.#gathering = true;
    let seen = this.#waiting.length;
    let quiet = 0;
    const step = () => {
      if (!this.#gathering) return;
      quiet = this.#waiting.length === seen ? quiet + 1 : 0;
      seen = this.#waiting.length;
      if (quiet < QUIET_STEPS && seen < LARGEST) queueMicrotask(step);
      else this.#commit();
    };
    queueMicrotask(step);
  }

  #commit(): void {
    this.#gathering = false;
    const group = this.#waiting;
    if (group.length === 0) return;
    this.#waiting = [];
    const failures = new Map<Waiting, unknown>();
    const started = this.#clock.monotonic();
    try {
      this.#transact(group, failures);
      this.#succeeded(Math.round(this.#clock.monotonic() - started), group.length);
    } catch (error) {
      this.#takenBack();
      const failure = this.#refused(error);
      for (const waiting of group) failures.set(waiting, failures.get(waiting) ?? failure);
    }
    for (const waiting of group) {
      if (failures.has(waiting)) waiting.failed(failures.get(waiting));
      else waiting.committed();
    }
  }

  /** Runs all of a group in one transaction; where one throws, all are taken back and run again, each apart. */
  #transact(group: readonly Waiting[], failures: Map<Waiting, unknown>): void {
    const durable = group.some(({ durability }) => durability === "power");
    const transaction = <T>(work: () => T) => durable ? this.#db.transaction(work) : this.#db.relaxed(work);
    let at: Waiting | undefined;
    try {
      transaction(() => {
        for (const waiting of group) {
          at = waiting;
          waiting.run();
        }
        at = undefined;
      });
    } catch (error) {
      this.#takenBack();
      if (!at || ofStorage(error)) throw error;
      if (group.length === 1) failures.set(at, error);
      else transaction(() => this.#runApart(group, failures));
    }
  }

  #runApart(group: readonly Waiting[], failures: Map<Waiting, unknown>): void {
    for (const waiting of group) {
      this.#db.exec("SAVEPOINT work");
      try {
        waiting.run();
      } catch (error) {
        if (ofStorage(error)) throw error;
        this.#db.exec("ROLLBACK TO work");
        this.#takenBack();
        failures.set(waiting, error);
      }
      this.#db.exec("RELEASE work");
    }
  }

  #refused(error: unknown): unknown {
    const failure = storeError("storing threads", error);
    if (!this.#failing) {
      const reason = failure instanceof Error ? failure.message : String(failure);
      this.#log.log("error", "threads cannot be stored", { reason });
    }
    this.#failing = true;
    return failure;
  }

  #succeeded(ms: number, writes: number): void {
    if (ms > SLOW) this.#log.log("warn", "storing threads takes long", { ms, writes });
    if (!this.#failing) return;
    this.#failing = false;
    this.#log.log("info", "threads are stored again");
  }
}

/** Whether the disk is at fault, also where the error was put into words already. */
function ofStorage(error: unknown): boolean {
  return isStorageFailure(error) || (error instanceof HandlerError && isStorageFailure(error.cause));
}
