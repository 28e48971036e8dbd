import type { Engines, Job, Outcome, WorkerStart } from "./protocol.ts";

/** A job that waits for a worker or is under way. */
interface Task {
  readonly job: Job;
  /** Jobs of one call; calls take turns. */
  readonly call: symbol;
  settle(outcome: Outcome): void;
  fail(reason: unknown): void;
}

/** A thread and what it is doing. */
interface Thread {
  readonly worker: Worker;
  readonly stop: Int32Array<SharedArrayBuffer>;
  task: Task | undefined;
}

/** What a pool is made of. */
export interface PoolOptions {
  readonly size: number;
  /** Loads what the workers need; called once, with the first job. */
  readonly engines: () => Promise<Engines>;
  readonly script: URL;
}

/**
 * Spreads jobs over worker threads. Threads are started when there is work for them and kept for the next; the thread
 * of a cancelled job is ended at once, in the middle of whatever it does, and another takes its place.
 */
export class Pool {
  readonly #options: PoolOptions;
  readonly #threads = new Set<Thread>();
  /** The waiting tasks of each call; a call goes to the end of the row when it has had its turn. */
  readonly #waiting = new Map<symbol, Task[]>();
  #engines: Promise<Engines> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Does one job of a call. @throws the signal's reason when it is aborted. */
  async run(job: Job, call: symbol, signal: AbortSignal): Promise<Outcome> {
    const engines = await this.#load();
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    const task: Task = { job, call, settle: resolve, fail: reject };
    const stop = () => this.#cancel(task, signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    const row = this.#waiting.get(call);
    if (row) row.push(task);
    else this.#waiting.set(call, [task]);
    this.#dispatch(engines);
    return await promise.finally(() => signal.removeEventListener("abort", stop));
  }

  /** A failed load is tried again with the next job. */
  #load(): Promise<Engines> {
    return this.#engines ??= this.#options.engines().catch((error) => {
      this.#engines = undefined;
      throw error;
    });
  }

  /** Ends every thread; jobs under way never settle. */
  close(): void {
    for (const thread of [...this.#threads]) this.#drop(thread);
  }

  #dispatch(engines: Engines): void {
    for (;;) {
      const thread = [...this.#threads].find(({ task }) => !task) ??
        this.#startThread(engines);
      const task = thread && this.#nextTask();
      if (!task) return;
      thread.task = task;
      thread.worker.postMessage(task.job);
    }
  }

  #startThread(engines: Engines): Thread | undefined {
    if (this.#waiting.size === 0 || this.#threads.size >= this.#options.size) {
      return undefined;
    }
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(this.#options.script, { type: "module" });
    const thread: Thread = { worker, stop, task: undefined };
    const finish = (outcome: Outcome) => {
      const { task } = thread;
      thread.task = undefined;
      // after a crash its engines may be in any state; after a large page they keep its memory for ever
      if ("crashed" in outcome || (task && isHeavy(task))) this.#drop(thread);
      task?.settle(outcome);
      this.#dispatch(engines);
    };
    thread.worker.onmessage = ({ data }: MessageEvent<Outcome>) => finish(data);
    thread.worker.onerror = (event) => {
      event.preventDefault();
      finish({ crashed: event.message });
    };
    thread.worker.postMessage({ ...engines, stop } satisfies WorkerStart);
    this.#threads.add(thread);
    return thread;
  }

  #nextTask(): Task | undefined {
    const isHeavyRunning = [...this.#threads].some(({ task }) => task && isHeavy(task));
    for (const [call, tasks] of this.#waiting) {
      if (isHeavyRunning && tasks[0] && isHeavy(tasks[0])) continue;
      const task = tasks.shift();
      this.#waiting.delete(call);
      if (tasks.length > 0) this.#waiting.set(call, tasks);
      return task;
    }
    return undefined;
  }

  #cancel(task: Task, reason: unknown): void {
    const left = (this.#waiting.get(task.call) ?? []).filter((other) => other !== task);
    if (left.length > 0) this.#waiting.set(task.call, left);
    else this.#waiting.delete(task.call);
    for (const thread of this.#threads) {
      if (thread.task === task) this.#drop(thread);
    }
    task.fail(reason);
    this.#engines?.then((engines) => this.#dispatch(engines));
  }

  #drop(thread: Thread): void {
    this.#threads.delete(thread);
    Atomics.store(thread.stop, 0, 1);
    thread.worker.terminate();
  }
}

function isHeavy({ job }: Task): boolean {
  return job.kind === "page" && job.heavy;
}
