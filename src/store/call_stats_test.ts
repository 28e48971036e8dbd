import assert from "node:assert/strict";
import { silentLogger, TestClock } from "../base/mod.ts";
import type { CallRecord } from "./calls.ts";
import { openStore } from "./mod.ts";

const memory = () => openStore({ path: ":memory:", clock: new TestClock(), log: silentLogger });

function call(change: Partial<CallRecord>): CallRecord {
  return {
    id: crypto.randomUUID(),
    startedAt: 0,
    caller: "check",
    session: null,
    interfaceId: "ocr/v1",
    interfaceHash: "aa",
    tool: "ocr_extract",
    binding: "scans",
    connector: "ocr-tesseract",
    connectorHash: "bb",
    queueMs: 0,
    startMs: 0,
    upstreamMs: 0,
    validateMs: 0,
    totalMs: 10,
    bytesIn: 0,
    bytesOut: 0,
    units: { pages: 1 },
    hosts: [],
    error: null,
    detail: null,
    traceId: null,
    ...change,
  };
}

Deno.test("calls are added up by binding and point", async () => {
  using store = await memory();
  for (let ms = 1; ms <= 100; ms++) store.calls.insert(call({ startedAt: 1000 + ms, totalMs: ms }));
  store.calls.insert(call({ startedAt: 2500, totalMs: 7, error: "unavailable", units: { seconds: 0.5 } }));
  store.calls.insert(call({ startedAt: 1500, binding: "other", units: {} }));
  store.calls.insert(call({ startedAt: 999 }));
  store.calls.insert(call({ startedAt: 3000 }));
  const none = { calls: 0, errors: 0, p50: null, p95: null };
  assert.deepEqual(await store.calls.tally({ from: 1000, to: 3000, points: 2 }), [
    {
      binding: "other",
      calls: 1,
      errors: 0,
      p50: 10,
      p95: 10,
      units: {},
      points: [{ at: 1000, calls: 1, errors: 0, p50: 10, p95: 10 }, { at: 2000, ...none }],
    },
    {
      binding: "scans",
      calls: 101,
      errors: 1,
      p50: 50,
      p95: 95,
      units: { pages: 100, seconds: 0.5 },
      points: [
        { at: 1000, calls: 100, errors: 0, p50: 50, p95: 95 },
        { at: 2000, calls: 1, errors: 1, p50: 7, p95: 7 },
      ],
    },
  ]);
  const one = await store.calls.tally({ from: 0, to: 5000, points: 1, binding: "other" });
  assert.deepEqual(one.map(({ binding, calls }) => [binding, calls]), [["other", 1]]);
});

Deno.test("a page of calls begins where the one before ended", async () => {
  using store = await memory();
  for (let i = 0; i < 5; i++) store.calls.insert(call({ id: `c${i}`, startedAt: i, tool: `t${i % 2}` }));
  const ids = (filter: Parameters<typeof store.calls.query>[0]) =>
    store.calls.query(filter).map(({ id }) => id).join(" ");
  assert.equal(ids({ limit: 2 }), "c4 c3");
  assert.equal(ids({ limit: 2, before: "c3" }), "c2 c1");
  assert.equal(ids({ before: "nothing" }), "");
  assert.equal(ids({ tool: "t0", until: 4 }), "c2 c0");
  assert.equal(store.calls.get("c3")?.startedAt, 3);
  assert.equal(store.calls.get("x"), undefined);
});

Deno.test("connections are added up by sandbox and host, refused ones left out", async () => {
  using store = await memory();
  const entry = {
    sandbox: "connector-mistral-1",
    host: "api.example.com",
    port: 443,
    address: "192.0.2.1",
    startedAt: 100,
    durationMs: 1,
    sentBytes: 10,
    receivedBytes: 20,
  };
  const { address: _, ...refused } = entry;
  store.egress.insert(entry);
  store.egress.insert(entry);
  store.egress.insert({ ...entry, startedAt: 200 });
  store.egress.insert({ ...refused, error: "refused" });
  assert.deepEqual(store.egress.tally(0, 200), [{
    sandbox: "connector-mistral-1",
    host: "api.example.com",
    port: 443,
    connections: 2,
    sentBytes: 20,
    receivedBytes: 40,
  }]);
});
