/**
 * Fills the disk that the store lies on while calls are recorded, then makes room again. Prints what happened as JSON.
 * Argument: a folder on a small disk.
 */
import { HandlerError, makeLogger, systemClock } from "../../src/base/mod.ts";
import { type CallRecord, openStore } from "../../src/store/mod.ts";

const folder = Deno.args[0]!;
const lines: string[] = [];
const log = makeLogger((level, message) => lines.push(`${level} ${message}`));
const store = await openStore({ path: `${folder}/handler.db`, clock: systemClock, log });

function call(id: string): CallRecord {
  // deno-fmt-ignore
  return { id, startedAt: Date.now(), caller: "agent:clerk", session: null, interfaceId: "ocr/v1", interfaceHash: "a",
    tool: "ocr_extract", binding: "scans", connector: "ocr-tesseract", connectorHash: "b", queueMs: 0, startMs: 0,
    upstreamMs: 0, validateMs: 0, totalMs: 0, bytesIn: 0, bytesOut: 0, units: {}, hosts: [], error: null,
    detail: "x".repeat(2000), traceId: null };
}

store.calls.insert(call("before"));
store.flush();
fill(`${folder}/filler`);
for (let i = 0; i < 200; i++) store.calls.insert(call(`during-${i}`));
const flushedWhenFull = store.flush();
store.flush();
let trustError = "";
try {
  for (let i = 0; i < 1000; i++) store.trust.pin("interface", `notes${i}/v1`, "f".repeat(64));
} catch (error) {
  trustError = error instanceof HandlerError ? `${error.kind}: ${error.message}` : String(error);
}
await Deno.remove(`${folder}/filler`);
const flushedWithRoom = store.flush();
const calls = store.calls.query({ limit: 1000 }).length;
store.close();
console.log(JSON.stringify({ flushedWhenFull, trustError, flushedWithRoom, calls, lines }));

function fill(path: string): void {
  for (const size of [65536, 4096, 1]) {
    try {
      for (;;) Deno.writeFileSync(path, new Uint8Array(size), { append: true });
    } catch {
      // full for pieces of this size
    }
  }
}
