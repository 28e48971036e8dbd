import type { PageQuery } from "$client";
import { merged, type Placed, within } from "./window.ts";

type Fetch<T> = (query: PageQuery) => Promise<readonly T[]>;

/** A part of a list of a thread that grows at both ends as it is asked for, and takes in what changes. */
export class Rows<T extends Placed> {
  /** In order of their places. */
  list = $state.raw<readonly T[]>([]);
  /** Whether the oldest, and the newest, are among them. */
  first = $state(false);
  last = $state(true);
  /** How many have come behind the part at hand. */
  unseen = $state(0);
  /** Whether the part before, or the part behind, is under way. */
  busy = $state(false);
  readonly #fetch: Fetch<T>;
  readonly #page: number;
  /** What changed while something was under way, which may be older. */
  #late: T[] | undefined;

  constructor(fetch: Fetch<T>, page: number) {
    this.#fetch = fetch;
    this.#page = page;
  }

  /** Begins anew with the newest part. */
  async newest(): Promise<void> {
    await this.#ask(async () => {
      const rows = await this.#fetch({ limit: this.#page, offset: 0, order: "desc" });
      this.#begin(rows, rows.length < this.#page, true);
    });
  }

  /** Begins anew with what stands around a place. */
  async around(seq: number): Promise<void> {
    await this.#ask(async () => {
      const [older, newer] = await Promise.all([
        this.#fetch({ limit: this.#page, offset: 0, order: "desc", before: seq + 1 }),
        this.#fetch({ limit: this.#page, offset: 0, order: "asc", after: seq }),
      ]);
      this.#begin([...older, ...newer], older.length < this.#page, newer.length < this.#page);
    });
  }

  /** Adds the part before. */
  async older(): Promise<void> {
    const before = this.list[0]?.seq;
    if (this.first || this.busy || before === undefined) return;
    await this.#ask(async () => {
      const rows = await this.#fetch({ limit: this.#page, offset: 0, order: "desc", before });
      this.list = merged(this.list, rows);
      this.first = rows.length < this.#page;
    });
  }

  /** Adds the part behind. */
  async newer(): Promise<void> {
    const after = this.list.at(-1)?.seq;
    if (this.last || this.busy || after === undefined) return;
    await this.#ask(async () => {
      const rows = await this.#fetch({ limit: this.#page, offset: 0, order: "asc", after });
      this.list = merged(this.list, rows);
      this.last = rows.length < this.#page;
      if (this.last) this.unseen = 0;
    });
  }

  /** Takes in what has changed or come, and takes out what is gone. */
  take(changed: readonly T[], gone: ReadonlySet<string>): void {
    this.#late?.push(...changed);
    if (!this.last) {
      const end = this.list.at(-1)?.seq ?? 0;
      this.unseen += changed.filter(({ seq }) => seq > end).length;
    }
    this.list = merged(this.list, within(this.list, changed, this));
    if (gone.size > 0 && this.list.some(({ id }) => gone.has(id))) {
      this.list = this.list.filter(({ id }) => !gone.has(id));
    }
  }

  #begin(rows: readonly T[], first: boolean, last: boolean): void {
    this.list = merged([], rows);
    this.first = first;
    this.last = last;
    this.unseen = 0;
  }

  async #ask(work: () => Promise<void>): Promise<void> {
    const late = this.#late = [] as T[];
    this.busy = true;
    try {
      await work();
      this.list = merged(this.list, within(this.list, late, this));
    } finally {
      if (this.#late === late) this.#late = undefined;
      this.busy = false;
    }
  }
}
