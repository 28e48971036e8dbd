import assert from "node:assert/strict";
import type { Client, WatchEvent } from "../client/mod.ts";
import { untilRest } from "./thread_rest.ts";

/** A thread at rest with so many revisions, told slowly. */
function longThread(revisions: number) {
  const thread = { id: "t1", seq: revisions, turn: null, terminatedAt: null, stopped: false, status: "idle" };
  const asked = { views: 0 };
  const daemon = {
    async thread() {
      asked.views++;
      return await Promise.resolve({ thread, children: [], waiting: 0, messages: revisions });
    },
    async *threadWatch(_id: string, after: number, signal: AbortSignal) {
      for (let id = after + 1; id <= revisions && !signal.aborted; id++) {
        if (id % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 300));
        yield {
          id,
          event: "change",
          change: { kind: "log", rev: id, row: { kind: "runtime", error: null } },
        };
      }
      if (!signal.aborted) yield { id: revisions, event: "thread", thread };
      if (!signal.aborted) {
        await new Promise<void>((end) => signal.addEventListener("abort", () => end(), { once: true }));
      }
    },
  } as unknown as Client;
  return { daemon, asked };
}

Deno.test("a long thread is told to its end, however long that takes, and not looked at with each of its events", async () => {
  const { daemon, asked } = longThread(1500);
  const seen: number[] = [];
  const onEvent = (event: WatchEvent) => "id" in event && seen.push(event.id);
  await untilRest(daemon, "t1", 0, new AbortController().signal, onEvent);
  assert.equal(seen.at(-1), 1500);
  assert.equal(new Set(seen).size, 1500);
  assert.ok(asked.views < 30, String(asked.views));
});
