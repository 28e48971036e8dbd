import assert from "node:assert/strict";
import { ALL, logRow, storeWithThread, threadRow } from "./testing.ts";

const whole = logRow(3, {
  rev: 5,
  turn: "u1",
  kind: "model_request",
  name: "main",
  messageId: "m1",
  complete: true,
  latencyMs: 12.5,
  error: { message: "no", type: "model", origin: "provider:llm" },
  data: `{"tokens":12}`,
});

Deno.test("a log row comes back by its id alone", async () => {
  using store = await storeWithThread({ seq: 50 });
  await store.write("process", (tx) => {
    tx.insertThread(threadRow("t2"));
    tx.insertLog({ ...whole, thread: "t2" });
    tx.insertLog(logRow(4));
  });
  assert.deepEqual(store.log("l3"), { ...whole, thread: "t2" });
  assert.deepEqual(store.log("l4"), logRow(4));
  assert.equal(store.log("l9"), undefined);
});

Deno.test("a log row is completed, and listed from either end", async () => {
  using store = await storeWithThread();
  await store.write("process", (tx) => {
    tx.insertLog({ ...whole, rev: 3, complete: false, latencyMs: null, error: null, data: "{}" });
    tx.insertLog(logRow(4));
    tx.saveLog(whole);
  });
  assert.deepEqual(store.logs("t1", ALL), [whole, logRow(4)]);
  assert.deepEqual(store.logs("t1", { order: "desc", limit: 1, offset: 0 }), [logRow(4)]);
  assert.deepEqual(store.logs("t9", ALL), []);
  const missing = store.write("process", (tx) => tx.saveLog(logRow(9)));
  await assert.rejects(missing, { kind: "not_found", message: "there is no log row l9" });
});
