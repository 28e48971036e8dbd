import type { Clock } from "../../base/mod.ts";
import type { WireError } from "../../wire/mod.ts";
import type { HostLink } from "./link.ts";

/** Processor time that a host which says nothing may use, in milliseconds. */
export const SPIN_CPU_MS = 20_000;
/** A host is looked at this often while something runs in it. */
const LOOK_MS = 1_000;

/** What a {@linkcode Pulse} is made of. */
export interface PulsePorts {
  readonly clock: Clock;
  readonly limitMs: number;
  readonly link: Pick<HostLink, "running" | "heard" | "canHear" | "pulse">;
  /** Processor time that the host has used so far, in milliseconds; undefined where that cannot be known. */
  cpuMs(): Promise<number | undefined>;
  /** It has used more than it may since it last said something. */
  spins(): void;
  /** It says nothing, and whether it works cannot be known; told once. */
  unknown(): void;
}

/** A host that says nothing from one look to the next. */
interface Silence {
  readonly fromCpuMs: number;
  /** It was over its limit at the last look. */
  isOver: boolean;
}

/**
 * Tells a host that spins from one that waits: only its own processor time counts, never a clock, so that one that was
 * stopped, swapped out or asleep with its machine is left alone.
 */
export class Pulse {
  readonly #ports: PulsePorts;
  #forget: (() => void) | undefined;
  #heard = -1;
  #silence: Silence | undefined;
  #isTold = false;
  #stopped = false;

  constructor(ports: PulsePorts) {
    this.#ports = ports;
  }

  /** Something is run from now on. */
  watch(): void {
    if (this.#stopped || this.#forget) return;
    this.#forget = this.#ports.clock.after(LOOK_MS, () => void this.#look());
  }

  stop(): void {
    this.#stopped = true;
    this.#forget?.();
  }

  async #look(): Promise<void> {
    const { link } = this.#ports;
    if (link.running > 0) {
      if (this.#hasSpoken() || !link.canHear) this.#ask();
      else await this.#silent();
    }
    this.#forget = undefined;
    if (link.running > 0) this.watch();
    else this.#heard = -1; // its next silence begins with its next run
  }

  #hasSpoken(): boolean {
    return this.#ports.link.heard !== this.#heard;
  }

  #ask(): void {
    this.#heard = this.#ports.link.heard;
    this.#silence = undefined;
    this.#ports.link.pulse();
  }

  async #silent(): Promise<void> {
    const cpuMs = await this.#ports.cpuMs().catch(() => undefined);
    if (this.#stopped || this.#hasSpoken()) return;
    if (cpuMs === undefined) return this.#tell();
    this.#silence ??= { fromCpuMs: cpuMs, isOver: false };
    const isOver = cpuMs - this.#silence.fromCpuMs > this.#ports.limitMs;
    // a daemon that could not read for long has its answer by the next look
    if (isOver && this.#silence.isOver) this.#ports.spins();
    else this.#silence.isOver = isOver;
  }

  #tell(): void {
    if (!this.#isTold) this.#ports.unknown();
    this.#isTold = true;
  }
}

/** Why a host that spins was ended, for so many turns that had begun in it. */
export function spinError(turns: number, limitMs: number): WireError {
  const what = `used more than ${limitMs / 1000} s of processor time without a pause`;
  const hint = "let long work wait for a timer now and then";
  if (turns === 1) {
    const message = `the function spun: it ${what}, and its process was ended (${hint})`;
    return { name: "TurnLimit", message };
  }
  const message =
    `one of ${turns} functions in this process spun: it ${what}, and nobody can know which it was`;
  return { name: "Interrupted", message: turns === 0 ? `the thread host spun: it ${what}` : message };
}
