import { HandlerError } from "./error.ts";

/** One run for many callers: while `work` is under way, a further call gets the same promise. */
export function singleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => running ??= work().finally(() => running = undefined);
}

/** Runs given functions one after the other, in the order of asking. */
export class Mutex {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T> | T): Promise<T> {
    const turn = this.#tail.then(work, work);
    this.#tail = turn.catch(() => {});
    return turn;
  }
}

/**
 * `work` done on every item, at most `most` at a time; results in the order of the items. Where one fails no other is
 * begun, and what is under way has ended before the whole rejects.
 */
export async function mapAtMost<T, R>(
  most: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  let failed = false;
  const worker = async () => {
    try {
      for (const [index, item] of rest) {
        if (failed) return;
        results[index] = await work(item);
      }
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const workers = Array.from({ length: Math.min(most, items.length) }, worker);
  await Promise.allSettled(workers);
  await Promise.all(workers);
  return results;
}

/** A promise with its own handles. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/** Makes a {@linkcode Deferred} whose rejection nobody has to wait for. */
export function deferred<T>(): Deferred<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  promise.catch(() => {});
  return { promise, resolve, reject };
}

/** Waits `ms`, or rejects with the signal's reason. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const done = () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    };
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/**
 * Waits for `work` at most `ms`; later a `timeout` error that says what was tried. The work itself goes on: give it
 * a signal where it can be stopped.
 */
export async function within<T>(ms: number, tried: string, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HandlerError("timeout", `${tried} took more than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
