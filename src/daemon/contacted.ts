/** How many ended connections of a sandbox are remembered. */
const REMEMBERED = 256;

const NONE: readonly string[] = [];

interface Contact {
  readonly host: string;
  /** Monotonic milliseconds; undefined while the connection is open. */
  endedAt: number | undefined;
}

/** Which hosts each sandbox was connected to, and until when: a call's record names those of its time (contract S.16). */
export class Contacted {
  readonly #contacts = new Map<string, Contact[]>();
  readonly #monotonic: () => number;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** A connection was opened; the returned function says that it has ended. */
  opened(sandbox: string, host: string, port: number): () => void {
    const contact: Contact = { host: `${host}:${port}`, endedAt: undefined };
    const known = this.#contacts.get(sandbox) ?? [];
    this.#contacts.set(sandbox, [...known.slice(-REMEMBERED), contact]);
    return () => contact.endedAt = this.#monotonic();
  }

  /** `host:port` of the connections that were open at some time since `since`. */
  since(sandbox: string, since: number): readonly string[] {
    const known = this.#contacts.get(sandbox);
    if (!known) return NONE; // most connectors reach nobody, and each call asks
    const then = known.filter(({ endedAt }) => endedAt === undefined || endedAt >= since);
    return [...new Set(then.map(({ host }) => host))].sort();
  }

  /** Forgets a sandbox that is gone. */
  forget(sandbox: string): void {
    this.#contacts.delete(sandbox);
  }
}
