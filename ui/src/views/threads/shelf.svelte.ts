import type { HandlerError, ThreadEntry, ThreadQuery } from "$client";
import { client, errorFrom } from "$lib/client.ts";
import { live } from "$lib/live.svelte.ts";
import { router } from "$lib/router.svelte.ts";
import { rowsOf, type TreeRow } from "./tree.ts";

const PAGE = 100;
/** Children of one thread that are shown. */
const MOST_CHILDREN = 1000;
/** While much changes, the list is asked for this often at most. */
const PAUSE_MS = 300;

/** States by which threads are looked for. */
export const STATES = ["idle", "running", "awaiting_human", "failed"] as const;

/** What is asked for, by the URL. */
export function asked(): Omit<ThreadQuery, "limit" | "offset"> {
  const { query } = router;
  const [project, agent] = [query.get("project"), query.get("agent")];
  const status = STATES.find((one) => one === query.get("state"));
  const ended = query.get("tab") === "ended";
  return {
    ended,
    ...(project && { project }),
    ...(agent && { agent }),
    // what is in a state is shown wherever it stands; else children stand below their parents
    ...(status && !ended ? { status } : agent ? {} : { parent: null }),
  };
}

/** Threads as they are asked for, and the children of those that are open. */
export class Shelf {
  threads = $state.raw<readonly ThreadEntry[] | undefined>();
  error = $state.raw<HandlerError | undefined>();
  open = $state.raw<ReadonlySet<string>>(new Set());
  /** Whether there may be more. */
  more = $state(false);
  #branches = $state.raw<ReadonlyMap<string, readonly ThreadEntry[]>>(new Map());
  #limit = PAGE;
  #round = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly rows: readonly TreeRow[] = $derived(rowsOf(this.threads ?? [], this.open, this.#branches));

  /** Follows what changes. @returns what ends that */
  begin(): () => void {
    const end = live.listen(["threads"], () => this.#timer ??= setTimeout(() => void this.load(), PAUSE_MS));
    return () => {
      end();
      clearTimeout(this.#timer);
    };
  }

  /** Asks for what the URL says, from the first page on. */
  async begun(): Promise<void> {
    this.#limit = PAGE;
    await this.load();
  }

  /** Asks again for what is shown. */
  async load(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const round = ++this.#round;
    try {
      const threads = await client.threads({ ...asked(), limit: this.#limit, offset: 0 });
      const open = [...this.open];
      const branches = new Map(
        await Promise.all(open.map(async (id) => [id, await childrenOf(id)] as const)),
      );
      if (round !== this.#round) return;
      this.threads = threads;
      this.#branches = branches;
      this.more = threads.length === this.#limit;
      this.error = undefined;
    } catch (thrown) {
      if (round === this.#round) this.error = errorFrom(thrown);
    }
  }

  /** The next page. */
  async next(): Promise<void> {
    if (!this.more) return;
    this.more = false;
    this.#limit += PAGE;
    await this.load();
  }

  /** Shows a thread's children, or hides them. */
  async toggle(id: string): Promise<void> {
    if (this.open.has(id)) {
      this.open = new Set([...this.open].filter((one) => one !== id));
      return;
    }
    try {
      const children = await childrenOf(id);
      this.#branches = new Map([...this.#branches, [id, children]]);
      this.open = new Set([...this.open, id]);
    } catch (thrown) {
      this.error = errorFrom(thrown);
    }
  }
}

async function childrenOf(parent: string): Promise<readonly ThreadEntry[]> {
  return await client.threads({ parent, limit: MOST_CHILDREN, offset: 0 });
}
