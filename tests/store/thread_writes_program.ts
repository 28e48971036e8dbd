/**
 * Writes messages to several threads at once and prints each one's thread and place as soon as the store has
 * acknowledged it, until it is killed. Argument: the store's file.
 */
import { silentLogger, systemClock } from "../../src/base/mod.ts";
import { openThreadStore } from "../../src/store/mod.ts";

const WRITERS = 8;
const store = await openThreadStore({ path: Deno.args[0]!, clock: systemClock, log: silentLogger });

// deno-fmt-ignore
const message = { id: "", role: "user", content: "x".repeat(300), name: null, toolCalls: null, toolCallId: null,
  toolStatus: null, createdAt: 1, silent: false, metadata: null, attachments: null, parentId: null, depth: 0, turn: null,
  hops: 0, deleted: false } as const;

const encoder = new TextEncoder();

/** Straight to the pipe, so that nothing is acknowledged later than it is told, nor told later than it is known. */
function tell(line: string): void {
  Deno.stdout.writeSync(encoder.encode(`${line}\n`));
}

async function writeOn(thread: string): Promise<never> {
  for (let i = 0;; i++) {
    const seq = await store.write(i % 3 === 0 ? "process" : "power", (tx) => {
      const row = tx.thread(thread)!;
      const place = ++row.seq;
      tx.insertMessage({ ...message, thread, seq: place, rev: place, id: `${thread} ${place}` });
      tx.saveThread(row);
      return place;
    });
    tell(`${thread} ${seq}`);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

const threads = Array.from({ length: WRITERS }, (_, i) => `thread${i}`);
await store.write("power", (tx) => {
  for (const id of threads) {
    // deno-fmt-ignore
    if (!tx.thread(id)) tx.insertThread({ id, project: "desk", agent: "clerk", person: null, title: null,
      description: null, createdAt: 1, link: null, arguments: "{}", terminatedAt: null, stopped: false, status: "idle",
      statusText: null, seq: 0, seenA: 0, seenB: 0, turn: null, session: 0, sessionOpen: false, turnsA: 0, turnsB: 0,
      hops: 0 });
  }
});
tell("ready");
await Promise.all(threads.map(writeOn));
