import type { Clock } from "../../base/mod.ts";
import type { ThreadHost, ThreadHosts } from "../ports.ts";

/** What is wrong may have been put right: looked at this often. */
const LOOK_MS = 2_000;
/** A host that is up only to be looked at is left alone after so long; whatever uses it next brings the look with it. */
const LOOK_UP_MS = 600_000;

/** Threads of one project that cannot go on. */
interface Group {
  readonly threads: Set<string>;
  /** The host whose definitions do not fit; undefined where none comes up. */
  host: ThreadHost | undefined;
  since: number;
}

/** What {@linkcode Held} is made of. */
export interface HeldParts {
  readonly clock: Clock;
  readonly hosts: ThreadHosts;
  /** Has threads looked at again. */
  release(threads: readonly string[]): Promise<void>;
}

/** Threads that their project's definitions keep from going on: they go on by themselves once those have been put right. */
export class Held {
  readonly #parts: HeldParts;
  readonly #groups = new Map<string, Group>();
  #forget: (() => void) | undefined;
  #closed = false;

  constructor(parts: HeldParts) {
    this.#parts = parts;
  }

  add(project: string, thread: string, host: ThreadHost | undefined): void {
    let group = this.#groups.get(project);
    if (!group) this.#groups.set(project, group = { threads: new Set(), host, since: 0 });
    group.threads.add(thread);
    group.host = host;
    group.since = this.#parts.clock.monotonic();
    this.#arm();
  }

  /** Something of a project is about to begin in a host: whether threads were held for want of another one. */
  seen(project: string, host: ThreadHost): void {
    const group = this.#groups.get(project);
    if (!group || group.host === host) return;
    this.#groups.delete(project);
    void this.#parts.release([...group.threads]);
  }

  close(): void {
    this.#closed = true;
    this.#forget?.();
  }

  #arm(): void {
    if (this.#forget || this.#closed || this.#groups.size === 0) return;
    this.#forget = this.#parts.clock.after(LOOK_MS, () => void this.#look());
  }

  async #look(): Promise<void> {
    const now = this.#parts.clock.monotonic();
    for (const [project, { host, since }] of [...this.#groups]) {
      if (host && now - since > LOOK_UP_MS) continue;
      const found = await this.#parts.hosts.get(project).catch(() => undefined);
      if (this.#closed) return;
      if (found) this.seen(project, found);
    }
    this.#forget = undefined;
    this.#arm();
  }
}
