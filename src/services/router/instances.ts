import { errorText, HandlerError, singleFlight, within } from "../../base/mod.ts";
import { removeQuietly } from "../../platform/mod.ts";
import type { Sandbox } from "../../sandbox/mod.ts";
import { unavailable, UNAVAILABLE_TEXT } from "./failure.ts";
import type { ResolvedBinding } from "../bindings.ts";
import type { RouterPorts, SecretLease } from "./ports.ts";
import { untilReady } from "./ready.ts";
import { prepareRunFolder, withRunFolder } from "./run_folder.ts";

/** One that ended sooner than this after its start counts as crashed at the start. */
const SETTLED_MS = 10_000;
const LONGEST_BACKOFF_MS = 60_000;
const STOP_GRACE_MS = 3_000;
/** How long a call that finds nobody listening waits to learn how the connector ended. */
const GONE_MS = 1_000;

/** A connector that runs, for one binding. */
export interface Instance {
  readonly binding: ResolvedBinding;
  readonly sandbox: Sandbox;
  readonly socket: string;
  /** The host folder that it sees as HANDLER_CONNECTOR_FILES. */
  readonly files: string;
  /** Whether it runs and takes calls. */
  readonly alive: boolean;
}

/** The right to call an instance; while one is held the instance is not stopped for idleness or a swap. */
export interface Lease extends Disposable {
  readonly instance: Instance;
  /** How long the call waited for the connector to start, in milliseconds. */
  readonly startMs: number;
}

/** What `handler connector list` shows of a running or failing binding. */
export interface InstanceStatus {
  readonly binding: string;
  readonly connector: string;
  readonly state: "running" | "draining" | "backing-off";
  readonly inFlight: number;
  readonly sandbox: string | null;
  readonly lastFailure: string | null;
}

class Running implements Instance {
  readonly binding: ResolvedBinding;
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly startedAt: number;
  readonly secrets: readonly SecretLease[];
  alive = true;
  draining = false;
  inFlight = 0;
  forgetIdle: (() => void) | undefined;
  /** Monotonic milliseconds of the end of its last call. */
  restingSince = 0;

  constructor(made: Pick<Running, "binding" | "sandbox" | "folder" | "startedAt" | "secrets">) {
    this.binding = made.binding;
    this.sandbox = made.sandbox;
    this.folder = made.folder;
    this.startedAt = made.startedAt;
    this.secrets = made.secrets;
  }

  get socket(): string {
    return `${this.folder}/connector.sock`;
  }

  get files(): string {
    return `${this.folder}/files`;
  }
}

class HeldLease implements Lease {
  readonly instance: Running;
  readonly startMs: number;
  #giveBack: ((running: Running) => void) | undefined;

  constructor(instance: Running, startMs: number, giveBack: (running: Running) => void) {
    this.instance = instance;
    this.startMs = startMs;
    this.#giveBack = giveBack;
  }

  [Symbol.dispose](): void {
    this.#giveBack?.(this.instance);
    this.#giveBack = undefined;
  }
}

interface Slot {
  current: Running | undefined;
  readonly draining: Set<Running>;
  start: (() => Promise<Running>) | undefined;
  failures: number;
  /** Monotonic milliseconds before which no new start is tried. */
  notBefore: number;
  lastFailure: string | null;
  /** What the last connector printed before it ended or failed to start. */
  lastLog: string | undefined;
}

/**
 * The running connectors, one per binding (seed §5, contract S.15): one start for any number of first calls, stopped
 * when idle, backed off when it crashes again and again, drained and swapped when its binding changes.
 */
export class Instances {
  readonly #ports: RouterPorts;
  readonly #slots = new Map<string, Slot>();
  readonly #ending = new Set<Promise<void>>();
  #count = 0;
  #closed = false;

  constructor(ports: RouterPorts) {
    this.#ports = ports;
  }

  /** The binding's connector where it runs in the form of now; undefined where it has to be started. */
  ready(name: string): Lease | undefined {
    const running = this.#slots.get(name)?.current;
    if (!running?.alive) return undefined;
    return sameForm(running.binding, this.bindingOf(name)) ? this.#lease(running, 0) : undefined;
  }

  /** The binding's connector, started where it does not run. @throws {CallFailure} `unavailable` */
  async acquire(name: string): Promise<Lease> {
    const binding = this.bindingOf(name);
    const slot = this.#slot(name);
    const from = this.#ports.clock.monotonic();
    const started = await this.#started(slot, binding);
    return this.#lease(started, this.#ports.clock.monotonic() - from);
  }

  /**
   * Starts what runs under an old form of its binding again in the new form. The old one goes on serving until the new
   * one answers, and finishes its calls; where the new one does not start, the old one stays and the problem is told.
   */
  async refresh(): Promise<readonly HandlerError[]> {
    const problems: HandlerError[] = [];
    await Promise.all([...this.#slots].map(async ([name, slot]) => {
      if (!slot.current?.alive) return;
      try {
        const binding = this.#ports.resolveBinding(name);
        if (!sameForm(binding, slot.current.binding)) await this.#started(slot, binding);
      } catch (error) {
        if (error instanceof HandlerError && error.kind === "not_found") {
          return this.#retire(slot, slot.current);
        }
        problems.push(
          new HandlerError("unavailable", `binding ${name}: ${errorText(error)}`, { cause: error }),
        );
      }
    }));
    return problems;
  }

  /** What runs, drains or backs off. */
  status(): readonly InstanceStatus[] {
    const now = this.#ports.clock.monotonic();
    return [...this.#slots].flatMap(([binding, slot]): InstanceStatus[] => {
      const rows = [slot.current, ...slot.draining].filter((one) => one !== undefined).map((
        one,
      ): InstanceStatus => ({
        binding,
        connector: one.binding.connector.name,
        state: one.draining ? "draining" : "running",
        inFlight: one.inFlight,
        sandbox: one.sandbox.name,
        lastFailure: slot.lastFailure,
      }));
      if (rows.length > 0 || slot.notBefore <= now) return rows;
      const { lastFailure } = slot;
      return [{
        binding,
        connector: "",
        state: "backing-off",
        inFlight: 0,
        sandbox: null,
        lastFailure,
      }];
    });
  }

  /** The end of what a binding's connector printed, the last one where none runs. */
  log(name: string): string | undefined {
    const slot = this.#slots.get(name);
    return slot?.current?.sandbox.log() ?? slot?.lastLog;
  }

  /** A call was not taken: the end is about to be seen, and where it is not, one that refuses counts as ended. */
  async notReached(instance: Instance, refused: boolean): Promise<void> {
    const slot = this.#slot(instance.binding.name);
    await within(GONE_MS, "the connector's end", instance.sandbox.exited).catch(() => {});
    if (refused && slot.current === instance) this.#ended(slot, slot.current, "it takes no connection");
  }

  /** Stops a binding's connector at once; the next call starts it again, without back-off. */
  async restart(name: string): Promise<void> {
    const slot = this.#slots.get(name);
    if (!slot) return;
    slot.failures = 0;
    slot.notBefore = 0;
    if (slot.current) await this.#stop(slot, slot.current);
  }

  /** Stops all. */
  async close(): Promise<void> {
    this.#closed = true;
    const all = [...this.#slots.values()];
    await Promise.all(all.map((slot) => slot.start?.().catch(() => {})));
    await Promise.all(all.flatMap((slot) => {
      return [slot.current, ...slot.draining].map((running) => running && this.#stop(slot, running));
    }));
    await Promise.all(this.#ending);
  }

  /** The binding as configured now. @throws {CallFailure} `unavailable` where it does not hold */
  bindingOf(name: string): ResolvedBinding {
    try {
      return this.#ports.resolveBinding(name);
    } catch (error) {
      throw unavailable(UNAVAILABLE_TEXT, `binding ${name}: ${errorText(error)}`);
    }
  }

  #slot(name: string): Slot {
    let slot = this.#slots.get(name);
    if (!slot) {
      slot = {
        current: undefined,
        draining: new Set(),
        start: undefined,
        failures: 0,
        notBefore: 0,
        lastFailure: null,
        lastLog: undefined,
      };
      this.#slots.set(name, slot);
    }
    return slot;
  }

  #lease(running: Running, startMs: number): Lease {
    running.inFlight++;
    return new HeldLease(running, startMs, this.#given);
  }

  /** A lease was given back. */
  readonly #given = (running: Running): void => {
    if (--running.inFlight === 0) this.#rest(running);
  };

  #rest(running: Running): void {
    const slot = this.#slot(running.binding.name);
    if (running.draining || !running.alive) {
      this.#stopSoon(slot, running);
      return;
    }
    running.restingSince = this.#ports.clock.monotonic();
    this.#waitIdle(slot, running, this.#ports.idleMs());
  }

  /** One timer stands for all calls of a while: when it fires, it looks how long nobody has called. */
  #waitIdle(slot: Slot, running: Running, ms: number): void {
    running.forgetIdle ??= this.#ports.clock.after(ms, () => {
      running.forgetIdle = undefined;
      if (running.inFlight > 0) return; // its end begins to count anew
      const left = running.restingSince + this.#ports.idleMs() - this.#ports.clock.monotonic();
      if (left > 0) this.#waitIdle(slot, running, left);
      else this.#stopSoon(slot, running);
    });
  }

  #started(slot: Slot, binding: ResolvedBinding): Promise<Running> {
    slot.start ??= singleFlight(async () => {
      try {
        return await this.#replace(slot, binding);
      } finally {
        slot.start = undefined;
      }
    });
    return slot.start();
  }

  async #replace(slot: Slot, binding: ResolvedBinding): Promise<Running> {
    const wait = slot.notBefore - this.#ports.clock.monotonic();
    if (wait > 0) {
      const seconds = Math.ceil(wait / 1000);
      throw unavailable(UNAVAILABLE_TEXT, `${slot.lastFailure}; the next start is tried in ${seconds} s`);
    }
    if (this.#closed) throw unavailable(UNAVAILABLE_TEXT, "handlerd is stopping");
    const before = slot.current;
    try {
      slot.current = await this.#start(slot, binding);
    } catch (error) {
      this.#backOff(slot, `the connector did not start: ${errorText(error)}`);
      this.#ports.connectorChanged(binding.name);
      throw unavailable(UNAVAILABLE_TEXT, slot.lastFailure!);
    }
    if (before) this.#retire(slot, before);
    this.#ports.connectorChanged(binding.name);
    return slot.current;
  }

  #backOff(slot: Slot, why: string): void {
    slot.failures++;
    slot.lastFailure = why;
    const pause = Math.min(LONGEST_BACKOFF_MS, 1000 * 2 ** (slot.failures - 1));
    // the first failure may be a slip: only a second one in a row makes callers wait
    slot.notBefore = slot.failures < 2 ? 0 : this.#ports.clock.monotonic() + pause;
    this.#ports.log.log("warn", why, { failures: slot.failures });
  }

  async #start(slot: Slot, binding: ResolvedBinding): Promise<Running> {
    const folder = `${this.#ports.runtimeFolder}/c/${++this.#count}`;
    await removeQuietly(folder);
    await prepareRunFolder(folder);
    const secrets: SecretLease[] = [];
    let sandbox: Sandbox | undefined;
    try {
      const spec = await this.#ports.sandboxSpec(binding);
      const secretEnv: Record<string, string> = {};
      for (const [env, { slot: name, reference }] of Object.entries(binding.secrets)) {
        const lease = await this.#ports.resolveSecret(reference, `${binding.name}.${name}`);
        secrets.push(lease);
        secretEnv[env] = lease.value;
      }
      sandbox = await this.#ports.startSandbox(
        withRunFolder(spec, folder, secretEnv),
        binding.connector,
      );
      await untilReady(this.#ports.requiredTools(binding), sandbox, `${folder}/connector.sock`);
    } catch (error) {
      await sandbox?.stop(0);
      slot.lastLog = sandbox?.log();
      secrets.forEach((lease) => lease.release());
      await removeQuietly(folder);
      throw error;
    }
    const startedAt = this.#ports.clock.monotonic();
    const running = new Running({ binding, sandbox, folder, startedAt, secrets });
    void sandbox.exited.then((exit) =>
      this.#ended(slot, running, `it ended with ${exit.code} (${exit.reason})`)
    );
    return running;
  }

  #ended(slot: Slot, running: Running, how: string): void {
    if (!running.alive) return;
    if (this.#ports.clock.monotonic() - running.startedAt < SETTLED_MS) this.#backOff(slot, how);
    else slot.failures = 0;
    this.#stopSoon(slot, running);
  }

  #retire(slot: Slot, running: Running): void {
    if (slot.current === running) slot.current = undefined;
    running.draining = true;
    slot.draining.add(running);
    if (running.inFlight === 0) this.#stopSoon(slot, running);
  }

  /** Stops one that nobody waits for; {@linkcode close} does. */
  #stopSoon(slot: Slot, running: Running): void {
    const ending = this.#stop(slot, running);
    this.#ending.add(ending);
    void ending.then(() => this.#ending.delete(ending));
  }

  async #stop(slot: Slot, running: Running): Promise<void> {
    if (!running.alive && slot.current !== running && !slot.draining.has(running)) return;
    running.alive = false;
    running.forgetIdle?.();
    if (slot.current === running) slot.current = undefined;
    slot.draining.delete(running);
    this.#ports.connectorChanged(running.binding.name);
    await running.sandbox.stop(STOP_GRACE_MS).catch(() => {});
    slot.lastLog = running.sandbox.log();
    running.secrets.forEach((lease) => lease.release());
    await removeQuietly(running.folder);
  }
}

/** Whether what runs for the one would run just so for the other. */
function sameForm(a: ResolvedBinding, b: ResolvedBinding): boolean {
  return a.hash === b.hash && a.connector.hash === b.connector.hash;
}
