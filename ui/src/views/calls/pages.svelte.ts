import type { CallQuery, CallView, HandlerError } from "$client";
import { client, errorFrom } from "$lib/client.ts";

const PAGE = 200;

/** Records of one query, the newest first, page by page as far as somebody looks. */
export class CallPages {
  rows = $state.raw<readonly CallView[]>([]);
  loading = $state(true);
  error = $state.raw<HandlerError | undefined>();
  /** Whether the oldest is there. */
  whole = $state(false);
  #query: Omit<CallQuery, "limit"> = {};
  #turn = 0;

  /** Begins anew with another query. */
  async open(query: Omit<CallQuery, "limit">): Promise<void> {
    const turn = ++this.#turn;
    this.#query = query;
    await this.#ask(turn, async () => {
      const rows = await this.#page();
      return () => {
        this.rows = rows;
        this.whole = rows.length < PAGE;
      };
    });
  }

  /** The page before the oldest one. */
  async more(): Promise<void> {
    const last = this.rows.at(-1);
    if (this.loading || this.whole || !last) return;
    await this.#ask(this.#turn, async () => {
      const rows = await this.#page(last.id);
      return () => {
        this.rows = [...this.rows, ...rows];
        this.whole = rows.length < PAGE;
      };
    });
  }

  /** Puts what has come meanwhile before the rest. */
  async refresh(): Promise<void> {
    if (this.loading) return;
    await this.#ask(this.#turn, async () => {
      const newest = await this.#page();
      const known = new Set(this.rows.map(({ id }) => id));
      const fresh = newest.filter(({ id }) => !known.has(id));
      // more than a page has come: what lies between is not known, so that all is asked anew
      const apart = fresh.length === PAGE;
      return () => this.rows = apart ? newest : fresh.length > 0 ? [...fresh, ...this.rows] : this.rows;
    });
  }

  async #page(before?: string): Promise<readonly CallView[]> {
    return await client.calls({ ...this.#query, limit: PAGE, ...(before !== undefined && { before }) });
  }

  async #ask(turn: number, work: () => Promise<() => void>): Promise<void> {
    this.loading = true;
    try {
      const take = await work();
      if (turn !== this.#turn) return;
      take();
      this.error = undefined;
    } catch (thrown) {
      if (turn === this.#turn) this.error = errorFrom(thrown);
    } finally {
      if (turn === this.#turn) this.loading = false;
    }
  }
}
