import { asHandlerError, type Deferred, deferred, HandlerError } from "../base/mod.ts";
import { type Backend, startBackend } from "./backend.ts";
import { placesOf } from "./places.ts";
import type { AppsPorts } from "./ports.ts";
import type { RunningBackend } from "./records.ts";
import { installed } from "./registry.ts";

const LONGEST_BACKOFF_MS = 60_000;
/** A backend that ended sooner than this after its start counts as crashed at the start. */
const SETTLED_MS = 10_000;

/** How an app's backend stands. */
export type BackendState = "stopped" | "starting" | "running" | "failing";

interface Slot {
  backend: Backend | undefined;
  starting: Promise<Backend> | undefined;
  inFlight: number;
  /** Resolves when nothing holds the backend any more; made where somebody waits for that. */
  drained: Deferred<void> | undefined;
  /** While a deploy or roll-back works on the app, calls wait for this. */
  held: Deferred<void> | undefined;
  forgetIdle: (() => void) | undefined;
  failures: number;
  notBefore: number;
  failure: HandlerError | undefined;
}

/**
 * Backends on demand (seed §4): started by the first call, one start for any number of calls, stopped when nobody called
 * for a while and never during a request, backed off while they crash.
 */
export class Backends {
  readonly #ports: AppsPorts;
  readonly #slots = new Map<string, Slot>();
  #closed = false;

  constructor(ports: AppsPorts) {
    this.#ports = ports;
  }

  /** The backend of an app's installed version, started where it does not run. */
  async acquire(name: string, signal: AbortSignal): Promise<RunningBackend> {
    const slot = this.#slot(name);
    slot.inFlight++; // counted before any wait, so that a stop or a deploy waits for this call too
    try {
      const backend = await orAborted(this.#ready(name, slot), signal);
      return this.#leaseOf(name, slot, backend);
    } catch (error) {
      this.#release(name, slot);
      throw error;
    }
  }

  async #ready(name: string, slot: Slot): Promise<Backend> {
    while (slot.held) {
      // a call that waits for a deploy does not hold the backend that the deploy wants to stop
      const { promise } = slot.held;
      slot.inFlight--;
      this.#tellDrained(slot);
      await promise;
      slot.inFlight++;
    }
    if (slot.backend && await slot.backend.isOwnSocket()) return slot.backend;
    if (slot.backend) await this.#stop(slot);
    slot.starting ??= this.#start(name, slot).finally(() => slot.starting = undefined);
    return await slot.starting;
  }

  #leaseOf(name: string, slot: Slot, backend: Backend): RunningBackend {
    slot.forgetIdle?.();
    slot.forgetIdle = undefined;
    let held = true;
    return {
      socket: backend.socket,
      [Symbol.dispose]: () => {
        if (held) this.#release(name, slot);
        held = false;
      },
    };
  }

  #release(name: string, slot: Slot): void {
    slot.inFlight--;
    this.#tellDrained(slot);
    if (slot.inFlight > 0 || !slot.backend) return;
    slot.forgetIdle?.();
    slot.forgetIdle = this.#ports.clock.after(this.#ports.idleMs(), () => {
      if (slot.inFlight > 0 || slot.held) return;
      this.#ports.log.log("info", `the app ${name} sleeps`);
      void this.#stop(slot);
    });
  }

  #tellDrained(slot: Slot): void {
    if (slot.inFlight === 0) slot.drained?.resolve();
  }

  async #start(name: string, slot: Slot): Promise<Backend> {
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
      const backend = await startBackend(this.#ports, { app, version, data, mode: "live" });
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
    void backend.exited.then(() => {
      if (slot.backend !== backend) return;
      slot.backend = undefined;
      void backend.stop();
      if (this.#ports.clock.monotonic() - from < SETTLED_MS) {
        this.#failed(
          name,
          slot,
          new HandlerError("unavailable", `the app ${name} ended soon after its start`),
        );
      } else slot.failures = 0;
    });
  }

  #failed(name: string, slot: Slot, error: HandlerError): HandlerError {
    slot.failures++;
    slot.failure = error;
    const pause = Math.min(LONGEST_BACKOFF_MS, 1000 * 2 ** (slot.failures - 1));
    slot.notBefore = slot.failures < 2 ? 0 : this.#ports.clock.monotonic() + pause;
    this.#ports.log.log("warn", error.message, { app: name, failures: slot.failures });
    return error;
  }

  /**
   * Keeps calls waiting, lets those under way finish, stops the backend, and does `work`. Whatever comes of it, calls go
   * on afterwards, on whatever version is installed then.
   */
  async quiesced<T>(name: string, work: () => Promise<T>): Promise<T> {
    const slot = this.#slot(name);
    if (slot.held) throw new HandlerError("conflict", `the app ${name} is being changed already`);
    slot.held = deferred();
    try {
      await slot.starting?.catch(() => {});
      await this.#drained(slot);
      await this.#stop(slot);
      return await work();
    } finally {
      slot.failures = 0;
      slot.notBefore = 0;
      const { held } = slot;
      slot.held = undefined;
      held.resolve();
    }
  }

  /** Requests that take longer than this are cut by a deploy: an open stream would hold it for ever. */
  async #drained(slot: Slot): Promise<void> {
    if (slot.inFlight === 0) return;
    slot.drained = deferred();
    const forget = this.#ports.clock.after(DRAIN_LIMIT_MS, () => slot.drained?.resolve());
    await slot.drained.promise;
    slot.drained = undefined;
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
    return slot && slot.notBefore > this.#ports.clock.monotonic() ? "failing" : "stopped";
  }

  /** Stops all. */
  async close(): Promise<void> {
    this.#closed = true;
    const slots = [...this.#slots.values()];
    await Promise.all(slots.map(({ starting }) => starting?.catch(() => {})));
    await Promise.all(slots.map((slot) => this.#stop(slot)));
  }

  async #stop(slot: Slot): Promise<void> {
    slot.forgetIdle?.();
    slot.forgetIdle = undefined;
    const { backend } = slot;
    slot.backend = undefined;
    await backend?.stop();
  }

  #slot(name: string): Slot {
    let slot = this.#slots.get(name);
    if (!slot) {
      slot = {
        backend: undefined,
        starting: undefined,
        inFlight: 0,
        drained: undefined,
        held: undefined,
        forgetIdle: undefined,
        failures: 0,
        notBefore: 0,
        failure: undefined,
      };
      this.#slots.set(name, slot);
    }
    return slot;
  }
}

const DRAIN_LIMIT_MS = 10_000;

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
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
