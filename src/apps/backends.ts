import { asHandlerError, deferred, HandlerError } from "../base/mod.ts";
import { Ahead } from "./ahead.ts";
import { type Backend, lastWords, startBackend, withLog } from "./backend.ts";
import { placesOf } from "./places.ts";
import type { AppsPorts } from "./ports.ts";
import type { RunningBackend } from "./records.ts";
import { installed } from "./registry.ts";
import { type Holder, Slot } from "./slot.ts";

const LONGEST_BACKOFF_MS = 60_000;
/** A backend that ended sooner than this after its start counts as crashed at the start. */
const SETTLED_MS = 10_000;
/** Requests that take longer are cut by a deploy: one that never ends would hold it for ever. */
const DRAIN_LIMIT_MS = 10_000;

/** How an app's backend stands; `failing`: its last start failed, and it is tried again by the next call. */
export type BackendState = "stopped" | "starting" | "running" | "failing";

/**
 * Backends on demand (seed §4): started by the first call, one start for any number of calls, stopped when nobody called
 * for a while and never during a request, backed off while they crash.
 */
export class Backends {
  readonly #ports: AppsPorts;
  readonly #slots = new Map<string, Slot>();
  readonly #ahead: Ahead;
  #closed = false;

  constructor(ports: AppsPorts) {
    this.#ports = ports;
    this.#ahead = new Ahead(ports);
  }

  /** A call is likely: of a backend that sleeps, what can be there before its start is made in the background. */
  expect(name: string): void {
    const slot = this.#slot(name);
    const app = this.#ports.registry.find(name);
    if (app && !slot.backend && !slot.starting && !slot.held) this.#ahead.prepare(app);
  }

  /** The backend of an app's installed version, started where it does not run. */
  async acquire(name: string, signal: AbortSignal): Promise<RunningBackend> {
    const slot = this.#slot(name);
    for (;;) {
      while (slot.held) await orAborted(slot.held.promise, signal);
      signal.throwIfAborted();
      const holder = slot.hold(); // counted before any wait, so that a stop or a deploy waits for this call too
      try {
        const backend = await orAborted(this.#ready(name, slot), signal);
        if (backend) return this.#leaseOf(name, slot, holder, backend);
      } catch (error) {
        this.#release(name, slot, holder);
        throw error;
      }
      this.#release(name, slot, holder); // it went away meanwhile: once more
    }
  }

  /** Undefined where what was running turned out to be gone. */
  async #ready(name: string, slot: Slot): Promise<Backend | undefined> {
    const { backend } = slot;
    if (!backend) return await this.#start(name, slot);
    if (backend.isOwnSocket()) return backend;
    await this.#stop(slot, backend);
    return undefined;
  }

  #leaseOf(name: string, slot: Slot, holder: Holder, backend: Backend): RunningBackend {
    slot.forgetIdle?.();
    slot.forgetIdle = undefined;
    const leave = backend.use();
    return {
      socket: backend.socket,
      connections: backend.connections,
      asStream: () => holder.asStream(),
      retire: () => this.#stop(slot, backend),
      lastWords: () => lastWords(placesOf(this.#ports.folders, name).log),
      [Symbol.dispose]: () => {
        if (this.#release(name, slot, holder)) leave();
      },
    };
  }

  #release(name: string, slot: Slot, holder: Holder): boolean {
    const first = holder.release();
    if (first) this.#waitForIdle(name, slot);
    return first;
  }

  /** From the last call on; a start that nobody waits for any more counts as one. */
  #waitForIdle(name: string, slot: Slot): void {
    if (slot.isHeld || !slot.backend) return;
    slot.forgetIdle?.();
    slot.forgetIdle = this.#ports.clock.after(this.#ports.idleMs(), () => {
      if (slot.isHeld || slot.held || !slot.backend) return;
      this.#ports.log.log("info", `the app ${name} sleeps`);
      void this.#stop(slot, slot.backend).then(() => this.expect(name));
    });
  }

  #start(name: string, slot: Slot): Promise<Backend> {
    if (slot.starting) return slot.starting;
    slot.starting = this.#startNow(name, slot).finally(() => {
      slot.starting = undefined;
      this.#ports.stateChanged(name);
      this.#waitForIdle(name, slot);
    });
    this.#ports.stateChanged(name);
    return slot.starting;
  }

  async #startNow(name: string, slot: Slot): Promise<Backend> {
    await slot.stopping;
    const app = this.#ports.registry.get(name);
    const version = installed(app);
    if (this.#closed) throw new HandlerError("unavailable", "handlerd is stopping");
    if (!version) {
      throw new HandlerError("conflict", `the app ${name} is not deployed`, {
        hint: `handler app deploy ${name}`,
      });
    }
    const wait = slot.notBefore - this.#ports.clock.monotonic();
    if (wait > 0 && slot.failure) throw backingOff(slot.failure, wait);
    try {
      const { data } = placesOf(this.#ports.folders, name);
      const waiting = await this.#ahead.take(name);
      const backend = await startBackend(this.#ports, { app, version, data, mode: "live" }, waiting);
      this.#watch(name, slot, backend);
      return backend;
    } catch (error) {
      throw this.#failed(name, slot, asHandlerError(error));
    }
  }

  #watch(name: string, slot: Slot, backend: Backend): void {
    slot.backend = backend;
    slot.failure = undefined;
    const from = this.#ports.clock.monotonic();
    const settled = () => this.#ports.clock.monotonic() - from >= SETTLED_MS;
    void backend.exited.then(({ code, reason }) => {
      if (settled()) slot.failures = 0;
      void this.#stop(slot, backend);
      this.#ports.stateChanged(name);
      if (settled() || reason === "stopped") return;
      const { log } = placesOf(this.#ports.folders, name);
      const text = `the app ${name} ended soon after its start with ${code} (${reason})`;
      this.#failed(name, slot, withLog(text, undefined, log));
    });
  }

  #failed(name: string, slot: Slot, error: HandlerError): HandlerError {
    slot.failures++;
    slot.failure = error;
    const pause = Math.min(LONGEST_BACKOFF_MS, 1000 * 2 ** (slot.failures - 1));
    slot.notBefore = slot.failures < 2 ? 0 : this.#ports.clock.monotonic() + pause;
    this.#ports.log.log("warn", error.message, { app: name, failures: slot.failures });
    this.#ports.stateChanged(name);
    return error;
  }

  /**
   * Keeps calls waiting, lets those under way finish, stops the backend, and does `work`. Whatever comes of it, calls go
   * on afterwards, on whatever version is installed then.
   */
  async quiesced<T>(name: string, work: () => Promise<T>): Promise<T> {
    const slot = this.#slot(name);
    if (slot.held) throw new HandlerError("conflict", `the app ${name} is being changed already`);
    const held = slot.held = deferred<void>();
    const used = slot.backend !== undefined || slot.starting !== undefined || this.#ahead.has(name);
    try {
      await slot.starting?.catch(() => {});
      await this.#drained(slot);
      if (slot.backend) await this.#stop(slot, slot.backend);
      await slot.stopping;
      await this.#ahead.discard(name);
      return await work();
    } finally {
      slot.failures = 0;
      slot.failure = undefined;
      slot.notBefore = 0;
      slot.held = undefined;
      held.resolve();
      if (used) this.expect(name);
    }
  }

  async #drained(slot: Slot): Promise<void> {
    const forget = this.#ports.clock.after(DRAIN_LIMIT_MS, () => slot.giveUpDraining());
    await slot.drained();
    forget();
  }

  /** Stops an app's backend; the next call starts it again. */
  async stop(name: string): Promise<void> {
    await this.quiesced(name, () => Promise.resolve());
  }

  state(name: string): BackendState {
    const slot = this.#slots.get(name);
    if (slot?.starting) return "starting";
    if (slot?.backend) return "running";
    return slot?.failure ? "failing" : "stopped";
  }

  /** Why the last start failed; undefined where it did not, or nothing was tried since the app was changed. */
  failure(name: string): HandlerError | undefined {
    return this.#slots.get(name)?.failure;
  }

  /** Stops all. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#ahead.close();
    await Promise.all([...this.#slots.values()].map(async (slot) => {
      await slot.starting?.catch(() => {});
      if (slot.backend) await this.#stop(slot, slot.backend);
      await slot.stopping;
    }));
  }

  async #stop(slot: Slot, backend: Backend): Promise<void> {
    if (slot.backend === backend) {
      slot.forgetIdle?.();
      slot.forgetIdle = undefined;
      slot.backend = undefined;
      const before = slot.stopping;
      const stopping = Promise.all([before, backend.stop()]).then(() => {
        if (slot.stopping === stopping) slot.stopping = undefined;
      });
      slot.stopping = stopping;
    }
    await slot.stopping;
  }

  #slot(name: string): Slot {
    let slot = this.#slots.get(name);
    if (!slot) this.#slots.set(name, slot = new Slot());
    return slot;
  }
}

function backingOff(failure: HandlerError, waitMs: number): HandlerError {
  const seconds = Math.ceil(waitMs / 1000);
  return new HandlerError("unavailable", `${failure.message}; the next start is tried in ${seconds} s`, {
    ...(failure.hint ? { hint: failure.hint } : {}),
  });
}

/** Gives up waiting when the signal aborts; the start itself goes on for others. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) {
      work.catch(() => {});
      return abort();
    }
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
