import type { ThreadReads } from "../store/mod.ts";
import { joined } from "./engine/said_so_far.ts";
import type { Watchers } from "./engine/watchers.ts";
import type { WatchEvent } from "./facade.ts";

const PAGE = 50;
/** Events of the moment that are kept for a watcher that does not take them. */
const PASSING_LIMIT = 1000;

/**
 * What changes in a thread after a revision, from the store, so that a client that was away misses nothing; and what is of
 * the moment between. The thread itself is told after its rows.
 */
export async function* watchThread(
  reads: ThreadReads,
  watchers: Watchers,
  id: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent, void, undefined> {
  // a number that was never given out is of a store that has lost its end: what is known of it counts for nothing
  let rev = after > (reads.thread(id)?.seq ?? 0) ? 0 : after,
    told = -1,
    dirty = true,
    ended = false,
    status = "";
  const passing: WatchEvent[] = [];
  let rouse = () => {};
  const end = () => {
    ended = true;
    rouse();
  };
  const leave = watchers.add(id, {
    changed() {
      dirty = true;
      rouse();
    },
    passing(event) {
      const one = joined(passing.at(-1), event);
      if (one) passing[passing.length - 1] = one;
      else if (passing.length < PASSING_LIMIT) passing.push(event);
      rouse();
    },
  }, end);
  signal.addEventListener("abort", end, { once: true });
  try {
    while (!ended && !signal.aborted) {
      if (dirty) {
        dirty = false;
        let more = (reads.thread(id)?.seq ?? 0) > rev;
        while (more) {
          const page = reads.changesAfter(id, rev, PAGE);
          for (const change of page) {
            rev = change.rev;
            yield { id: rev, event: "change", change };
          }
          more = page.length === PAGE;
        }
        const thread = reads.thread(id);
        if (!thread) return;
        if (told !== thread.seq || status !== thread.status) {
          yield { id: rev, event: "thread", thread };
          told = thread.seq;
          status = thread.status;
        }
      }
      for (const event of passing.splice(0)) yield event;
      if (dirty || passing.length > 0 || ended || signal.aborted) continue;
      await new Promise<void>((go) => rouse = go);
      rouse = () => {};
    }
  } finally {
    leave();
    signal.removeEventListener("abort", end);
  }
}
