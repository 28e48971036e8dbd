import type { Clock } from "../../base/mod.ts";
import type { Holders } from "./holders.ts";
import type { LiveHost } from "./live_host.ts";

/** Whoever was given the host a moment ago has begun what it is for within this. */
const GRACE_MS = 5_000;

/** Hosts whose definitions are not the newest any more: they finish what was begun on them, and then end. */
export class RetiredHosts {
  readonly #clock: Clock;
  readonly #holders: Holders;
  /** By the number of the last holder that may still need it; infinite while its grace lasts. */
  readonly #hosts = new Map<LiveHost, number>();

  constructor(clock: Clock, holders: Holders) {
    this.#clock = clock;
    this.#holders = holders;
  }

  add(host: LiveHost): void {
    this.#hosts.set(host, Infinity);
    const forget = this.#clock.after(GRACE_MS, () => {
      if (!this.#hosts.has(host)) return;
      this.#hosts.set(host, this.#holders.last);
      this.look();
    });
    void host.over.then(() => {
      forget();
      this.#hosts.delete(host);
    });
  }

  /** Ends those that nobody needs any more. */
  look(): void {
    for (const [host, upTo] of this.#hosts) {
      if (upTo === Infinity || host.running > 0 || this.#holders.isHeldBy(upTo)) continue;
      void host.end();
    }
  }

  /** Ends all. */
  async close(): Promise<void> {
    await Promise.all([...this.#hosts.keys()].map((host) => host.end()));
  }
}
