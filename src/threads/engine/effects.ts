import { errorText, newId } from "../../base/mod.ts";
import type { EffectRow, LoggedError } from "../../store/mod.ts";
import { noThread } from "./acts.ts";
import { appendLog } from "./append.ts";
import type { Engine } from "./engine.ts";

/** The wall clock may jump: what is due is looked for at least this often while something is pending. */
const LOOK_MS = 30_000;
/** Effects that are begun in one go. */
const AT_ONCE = 100;

/** Runs an effect's function; rejects with what it throws. */
export type RunEffect = (effect: EffectRow) => Promise<void>;

/** Delayed functions: durable, each run once at most. */
export class Effects {
  readonly #engine: Engine;
  #run: RunEffect = () => Promise.reject(new Error("effects are not connected"));
  #forget: (() => void) | undefined;
  #closed = false;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Says how an effect's function is run. */
  connect(run: RunEffect): void {
    this.#run = run;
  }

  /** Adds one. @returns its id, when it is stored */
  async schedule(thread: string, name: string, args: string, delayMs: number): Promise<string> {
    const now = this.#engine.now();
    const row: EffectRow = {
      id: newId(now),
      thread,
      name,
      args,
      scheduledAt: Math.round((now + Math.max(0, delayMs)) * 1000),
      createdAt: now * 1000,
      state: "pending",
      error: null,
    };
    await this.#engine.write("process", (tx, acts) => {
      if (acts.thread(tx, thread).terminatedAt !== null) throw noThread(thread);
      tx.insertEffect(row);
      acts.effects = true;
    });
    return row.id;
  }

  /** Takes a pending one back; false where it is not pending any more. */
  async cancel(thread: string, id: string, by: "agent_canceled" | "user_canceled"): Promise<boolean> {
    return await this.#engine.write("process", (tx, acts) => {
      const effect = tx.effect(id);
      if (!effect || effect.thread !== thread || effect.state !== "pending") return false;
      tx.saveEffect({ ...effect, state: by });
      acts.changed.add(thread);
      this.#engine.settle(tx, acts, thread);
      return true;
    });
  }

  /** What a dead daemon was running is failed, not run again; the rest goes on. */
  async recover(): Promise<void> {
    const error = {
      message: "the process that ran this effect ended before the effect did; it is not run again",
      type: "interrupted_incomplete",
      origin: "runtime",
    };
    for (const effect of this.#engine.ports.store.processingEffects()) {
      await this.#close(effect, error, 0);
    }
    this.arm();
  }

  /** Looks when the next one is due. */
  arm(): void {
    this.#forget?.();
    this.#forget = undefined;
    if (this.#closed) return;
    const [next] = this.#engine.ports.store.pendingEffects(undefined, 1);
    if (!next) return;
    const wait = Math.max(0, Math.min(LOOK_MS, next.scheduledAt / 1000 - this.#engine.now()));
    this.#forget = this.#engine.ports.clock.after(wait, () => void this.#look());
  }

  /** Nothing more is begun. */
  close(): void {
    this.#closed = true;
    this.#forget?.();
  }

  async #look(): Promise<void> {
    const now = this.#engine.now() * 1000;
    const due = this.#engine.ports.store.pendingEffects(undefined, AT_ONCE).filter(({ scheduledAt }) =>
      scheduledAt <= now
    );
    try {
      const taken = await this.#engine.write("power", (tx) =>
        due.filter(({ id }) => {
          const effect = tx.effect(id);
          if (effect?.state !== "pending") return false;
          tx.saveEffect({ ...effect, state: "processing" });
          return true;
        }));
      for (const effect of taken) void this.#perform(effect);
    } catch (error) {
      this.#engine.ports.log.log("error", `effects that are due cannot begin: ${errorText(error)}`);
    }
    if (!this.#closed) {
      this.#forget = this.#engine.ports.clock.after(due.length > 0 ? 0 : 1000, () => this.arm());
    }
  }

  async #perform(effect: EffectRow): Promise<void> {
    const started = this.#engine.ports.clock.monotonic();
    let failure: LoggedError | null = null;
    try {
      await this.#run(effect);
    } catch (error) {
      failure = { message: errorText(error), type: "effect_execution_error", origin: "runtime" };
    }
    await this.#close(effect, failure, this.#engine.ports.clock.monotonic() - started);
  }

  async #close(effect: EffectRow, error: LoggedError | null, latencyMs: number): Promise<void> {
    try {
      await this.#engine.write("process", (tx, acts) => {
        tx.saveEffect({ ...effect, state: error ? "failed" : "completed", error });
        const thread = acts.thread(tx, effect.thread);
        appendLog(tx, acts, thread, {
          turn: null,
          kind: "effect_execution",
          name: effect.name,
          latencyMs,
          error,
          data: { effect: effect.id },
        }, this.#engine.now());
        this.#engine.settle(tx, acts, effect.thread);
      });
    } catch (failure) {
      this.#engine.ports.log.log("error", `the end of the effect ${effect.id}: ${errorText(failure)}`);
    }
  }
}
