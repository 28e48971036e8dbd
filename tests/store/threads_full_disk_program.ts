/**
 * Fills the disk that the threads' store lies on while messages are written, then makes room again. Prints what happened
 * as JSON. Argument: a folder on a small disk.
 */
import { HandlerError, makeLogger, systemClock } from "../../src/base/mod.ts";
import { openThreadStore } from "../../src/store/mod.ts";

const folder = Deno.args[0]!;
const lines: string[] = [];
const log = makeLogger((level, message) => lines.push(`${level} ${message}`));
const store = await openThreadStore({ path: `${folder}/threads.db`, clock: systemClock, log });
let seq = 0;

function write(): Promise<void> {
  return store.write("power", (tx) => {
    const place = seq + 1;
    // deno-fmt-ignore
    tx.insertMessage({ thread: "t", seq: place, rev: place, id: `m${place}`, role: "user", content: "x".repeat(2000),
      name: null, toolCalls: null, toolCallId: null, toolStatus: null, createdAt: 1, silent: false, metadata: null,
      attachments: null, parentId: null, depth: 0, turn: null, hops: 0, deleted: false });
    tx.saveThread({ ...tx.thread("t")!, seq: place });
  }).then(() => void seq++);
}

await store.write("power", (tx) =>
  // deno-fmt-ignore
  tx.insertThread({ id: "t", project: "desk", agent: "clerk", person: null, title: null, description: null,
    createdAt: 1, link: null, arguments: "{}", terminatedAt: null, stopped: false, status: "idle", statusText: null,
    seq: 0, seenA: 0, seenB: 0, turn: null, session: 0, sessionOpen: false, turnsA: 0, turnsB: 0, hops: 0 }));
for (let i = 0; i < 10; i++) await write();
fill(`${folder}/filler`);
const failures: string[] = [];
for (let i = 0; i < 500 && failures.length < 20; i++) {
  await write().catch((error) =>
    failures.push(error instanceof HandlerError ? `${error.kind}: ${error.message}` : String(error))
  );
}
const whenFull = { acknowledged: seq, stored: store.thread("t")?.seq };
await Deno.remove(`${folder}/filler`);
for (let i = 0; i < 10; i++) await write();
const page = { limit: 1000, offset: 0, order: "asc", includeSilent: true, maxDepth: 0 } as const;
const stored = store.messages("t", page).length;
store.close();
console.log(JSON.stringify({ failures: [...new Set(failures)], whenFull, acknowledged: seq, stored, lines }));

function fill(path: string): void {
  for (const size of [65536, 4096, 1]) {
    try {
      for (;;) Deno.writeFileSync(path, new Uint8Array(size), { append: true });
    } catch {
      // full for pieces of this size
    }
  }
}
