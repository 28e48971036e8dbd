import type { Json } from "../../base/mod.ts";
import type { ExecutionSnapshot, SubagentEntry, ThreadSnapshot, WireError } from "../../wire/mod.ts";
import { StateError } from "./errors.ts";

/** The way back to the daemon, shared by all runs. */
export interface Caller {
  /** Sends a call and gives its number, by which the run hears the answer. @throws what JSON cannot say */
  send(run: Run, thread: string, method: string, args: readonly unknown[]): number;
}

/** A call that waits for its answer. */
interface Waiting {
  resolve(value: Json | undefined): void;
  reject(error: unknown): void;
}

/** One function's run: what it asked and still waits for, whether it may ask at all. */
export class Run {
  readonly id: number;
  readonly thread: ThreadSnapshot;
  readonly execution: ExecutionSnapshot | null;
  /** Scratch, for this run alone. */
  readonly context: Record<string, unknown> = {};
  /** As they were told last. */
  children: readonly SubagentEntry[];
  /** The function asked that the flow ends after it. */
  stopped = false;
  readonly #caller: Caller;
  readonly #waiting = new Map<number, Waiting>();
  /** What went wrong where nobody waited. */
  readonly #fired: unknown[] = [];
  #abort: AbortController | undefined;
  #abortReason: DOMException | undefined;
  /** Why nothing more may be asked. */
  #over: string | undefined;
  #allAnswered: (() => void) | undefined;
  readonly #atEnd: (() => void)[] = [];

  constructor(id: number, thread: ThreadSnapshot, execution: ExecutionSnapshot | null, caller: Caller) {
    this.id = id;
    this.thread = thread;
    this.execution = execution;
    this.children = thread.children;
    this.#caller = caller;
  }

  /** Fires when somebody stops the run; made when it is first looked at. */
  get signal(): AbortSignal {
    return (this.#abort ??= this.#aborted(new AbortController())).signal;
  }

  /** Asks something of a thread. @throws {StateError} where it is refused */
  async call(thread: string, method: string, args: readonly unknown[]): Promise<Json | undefined> {
    try {
      return await this.#ask(thread, method, args);
    } catch (error) {
      // made here, so that its stack leads to who asked
      throw error instanceof Refusal ? new StateError(error.error) : error;
    }
  }

  /** Asks without waiting; what goes wrong is thrown by {@linkcode settled}. */
  fire(thread: string, method: string, args: readonly unknown[]): void {
    this.#ask(thread, method, args).catch((error) =>
      this.#fired.push(error instanceof Refusal ? new StateError(error.error) : error)
    );
  }

  #ask(thread: string, method: string, args: readonly unknown[]): Promise<Json | undefined> {
    if (this.#over !== undefined) {
      return Promise.reject(
        new Refusal({ name: "Error", message: `${method} was asked too late: ${this.#over}` }),
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.set(this.#caller.send(this, thread, method, args), { resolve, reject });
    });
  }

  /** Takes the answer to one of its calls. */
  answered(call: number, value: Json | undefined, children: readonly SubagentEntry[] | undefined): void {
    if (children) this.children = children;
    this.#take(call)?.resolve(value);
  }

  /** Takes a refusal. */
  refused(call: number, error: WireError): void {
    this.#take(call)?.reject(new Refusal(error));
  }

  #take(call: number): Waiting | undefined {
    const waiting = this.#waiting.get(call);
    this.#waiting.delete(call);
    if (this.#waiting.size === 0) this.#tellAnswered();
    return waiting;
  }

  #tellAnswered(): void {
    this.#allAnswered?.();
    this.#allAnswered = undefined;
  }

  /** Whether {@linkcode settled} has anything to do. */
  get isUnsettled(): boolean {
    return this.#waiting.size > 0 || this.#fired.length > 0;
  }

  /**
   * Waits for what was asked and not waited for, and for what that leads to at once.
   * @throws the first thing that went wrong among what was fired
   */
  async settled(): Promise<void> {
    while (this.#waiting.size > 0) {
      await new Promise<void>((resolve) => this.#allAnswered = resolve);
      await new Promise((resolve) => setTimeout(resolve)); // who waited may ask again
    }
    if (this.#fired.length > 0) throw this.#fired[0];
  }

  /** Stops it: the signal fires, what waits fails, and nothing more may be asked. */
  abort(reason: string): void {
    if (this.#over !== undefined) return;
    this.#abortReason = new DOMException(reason, "AbortError");
    this.#abort?.abort(this.#abortReason);
    this.end(`the run was stopped: ${reason}`);
  }

  #aborted(controller: AbortController): AbortController {
    if (this.#abortReason) controller.abort(this.#abortReason);
    return controller;
  }

  /** Calls `work` when the run is over, however it ends. */
  atEnd(work: () => void): void {
    if (this.#over === undefined) this.#atEnd.push(work);
    else work();
  }

  /** Nothing more may be asked. */
  end(why: string): void {
    if (this.#over !== undefined) return;
    this.#over = why;
    this.#atEnd.forEach((work) => work());
    for (const { reject } of this.#waiting.values()) {
      reject(this.#abortReason ?? new Refusal({ name: "Error", message: why }));
    }
    this.#waiting.clear();
    this.#tellAnswered();
  }
}

/** A refusal on its way to whoever asked. */
class Refusal extends Error {
  readonly error: WireError;

  constructor(error: WireError) {
    super(error.message);
    this.error = error;
  }
}
