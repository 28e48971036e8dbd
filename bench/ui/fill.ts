import { newId, silentLogger, systemClock } from "../../src/base/mod.ts";
import type { MessageRow, ThreadRow } from "../../src/client/mod.ts";
import { openStore } from "../../src/store/mod.ts";
import type { SystemHome } from "../../tests/system/home.ts";

const HASH = "a".repeat(64);

/** Puts call records into the store of a home whose daemon does not run. */
export async function fillCalls(home: SystemHome, count: number): Promise<void> {
  const path = `${home.path}/state/handler.db`;
  const store = await openStore({ path, clock: systemClock, log: silentLogger });
  const now = Date.now();
  for (let n = 0; n < count; n++) {
    store.calls.insert({
      ...{ id: newId(), startedAt: now - (count - n) * 1000, caller: "agent:clerk", session: null },
      ...{ interfaceId: "ocr/v1", interfaceHash: HASH, tool: "ocr_extract", binding: "ocr-here" },
      ...{
        connector: "ocr-tesseract",
        connectorHash: HASH,
        queueMs: 0,
        startMs: 0,
        upstreamMs: 200 + n % 90,
      },
      ...{
        validateMs: 1,
        totalMs: 205 + n % 90,
        bytesIn: 2000,
        bytesOut: 3000,
        units: { pages: 1 },
        hosts: [],
      },
      ...{ error: n % 50 === 0 ? "unavailable" : null, detail: null, traceId: null },
    });
  }
  store.close();
}

/** A thread with many messages, brought in as an export. @returns its id */
export async function fillThread(home: SystemHome, count: number): Promise<string> {
  const model = await home.client.welcomeThread();
  const said = { content: "flour", side: undefined, metadata: undefined, attachments: [] };
  await home.client.threadSend(model.id, said);
  const lines: string[] = [];
  for await (const line of home.client.threadExport(model.id, new AbortController().signal)) lines.push(line);
  await home.client.threadTerminate(model.id);
  await home.client.threadRemove(model.id);
  const rows = lines.map((line) => JSON.parse(line) as { thread?: ThreadRow; message?: MessageRow });
  const [thread, message] = [
    rows.find((row) => row.message === undefined && typeof row.thread === "object")?.thread,
    rows.find((row) => row.message)?.message,
  ];
  const seqs = Array.from({ length: count }, (_, index) => index + 1);
  const made = seqs.map((seq) => ({
    message: {
      ...message,
      seq,
      rev: seq,
      id: newId(),
      turn: null,
      content: `Message ${seq}: some words of it`,
    },
  }));
  const head = { thread: { ...thread, seq: count, seenA: count, seenB: count, turn: null } };
  const all = [head, ...made, { end: true, lines: count + 1 }].map((line) => JSON.stringify(line));
  all.unshift(lines[0]!);
  return (await home.client.threadImport(new Blob([all.join("\n") + "\n"]), null)).id;
}
