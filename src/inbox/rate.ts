import type { Clock } from "../base/mod.ts";

/** How much is taken of each source: so many in each span of time. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #spanMs: number;
  /** Monotonic times of what was taken, the oldest first. */
  readonly #taken = new Map<string, readonly number[]>();

  constructor(
    { clock, most, spanMs }: { readonly clock: Clock; readonly most: number; readonly spanMs: number },
  ) {
    this.#clock = clock;
    this.#most = most;
    this.#spanMs = spanMs;
  }

  /** Takes one of a source. @returns 0, or how many milliseconds the source has to wait */
  take(source: string): number {
    const now = this.#clock.monotonic();
    const recent = (this.#taken.get(source) ?? []).filter((at) => at > now - this.#spanMs);
    const full = recent.length >= this.#most;
    this.#taken.set(source, full ? recent : [...recent, now]);
    return full ? (recent[0] ?? now) + this.#spanMs - now : 0;
  }
}
