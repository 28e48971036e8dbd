import type { Clock } from "../base/mod.ts";
import type { HostTally } from "../store/mod.ts";

/** How many connections of a sandbox are remembered. */
const REMEMBERED = 256;

const NONE: readonly string[] = [];

interface Contact {
  readonly host: string;
  readonly port: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Its bytes so far. */
  readonly traffic: { readonly sent: number; readonly received: number };
  /** Monotonic milliseconds; undefined while the connection is open. */
  endedAt: number | undefined;
}

/** Which hosts each sandbox was connected to, and until when: a call's record names those of its time (contract S.16). */
export class Contacted {
  readonly #contacts = new Map<string, Contact[]>();
  readonly #clock: Pick<Clock, "now" | "monotonic">;

  constructor(clock: Pick<Clock, "now" | "monotonic">) {
    this.#clock = clock;
  }

  /** A connection was opened, whose bytes grow in `traffic`; the returned function says that it has ended. */
  opened(sandbox: string, host: string, port: number, traffic: Contact["traffic"]): () => void {
    const contact: Contact = { host, port, startedAt: this.#clock.now(), traffic, endedAt: undefined };
    const known = this.#contacts.get(sandbox) ?? [];
    this.#contacts.set(sandbox, [...known.slice(-REMEMBERED), contact]);
    return () => contact.endedAt = this.#clock.monotonic();
  }

  /** `host:port` of the connections that were open at some time since `since`. */
  since(sandbox: string, since: number): readonly string[] {
    const known = this.#contacts.get(sandbox);
    if (!known) return NONE; // most connectors reach nobody, and each call asks
    const then = known.filter(({ endedAt }) => endedAt === undefined || endedAt >= since);
    return [...new Set(then.map(({ host, port }) => `${host}:${port}`))].sort();
  }

  /**
   * Connections that are open, and so not in the store yet: those that were open at some time from `from` on and before
   * `to`, each with all of its bytes, for nobody knows when which were sent.
   */
  open(from: number, to: number): readonly HostTally[] {
    if (this.#clock.now() < from) return [];
    return [...this.#contacts].flatMap(([sandbox, contacts]) =>
      contacts
        .filter(({ startedAt, endedAt }) => endedAt === undefined && startedAt < to)
        .map(({ host, port, traffic: { sent: sentBytes, received: receivedBytes } }) => ({
          ...{ sandbox, host, port, connections: 1 },
          ...{ sentBytes, receivedBytes },
        }))
    );
  }

  /** Forgets a sandbox that is gone. */
  forget(sandbox: string): void {
    this.#contacts.delete(sandbox);
  }
}
