import assert from "node:assert/strict";
import { effectRow, storeWithThread, threadRow } from "./testing.ts";

Deno.test("pending effects come in order of time, of one thread or of all", async () => {
  using store = await storeWithThread();
  await store.write("process", (tx) => {
    tx.insertThread(threadRow("t2"));
    tx.insertEffect(effectRow("e1", 30));
    tx.insertEffect(effectRow("e2", 10, { thread: "t2" }));
    tx.insertEffect(effectRow("e3", 10, { args: `{"a":1}` }));
    tx.insertEffect(effectRow("e4", 5, { state: "completed" }));
  });
  assert.deepEqual(store.pendingEffects(undefined).map(({ id }) => id), ["e2", "e3", "e1"]);
  assert.deepEqual(store.pendingEffects("t1"), [
    effectRow("e3", 10, { args: `{"a":1}` }),
    effectRow("e1", 30),
  ]);
  assert.deepEqual(store.pendingEffects("t9"), []);
  assert.deepEqual(store.effect("e2"), effectRow("e2", 10, { thread: "t2" }));
  assert.equal(store.effect("e9"), undefined);
});

Deno.test("an effect goes through its states", async () => {
  using store = await storeWithThread();
  const error = { message: "no", type: "effect_execution_error", origin: "runtime" };
  const save = (row: ReturnType<typeof effectRow>) => store.write("process", (tx) => tx.saveEffect(row));
  await store.write("process", (tx) => tx.insertEffect(effectRow("e1", 10)));
  await save(effectRow("e1", 10, { state: "processing" }));
  assert.deepEqual(store.processingEffects(), [effectRow("e1", 10, { state: "processing" })]);
  await save(effectRow("e1", 10, { state: "failed", error }));
  assert.deepEqual(store.processingEffects(), []);
  assert.deepEqual(store.effect("e1"), effectRow("e1", 10, { state: "failed", error }));
  await assert.rejects(save(effectRow("e9", 1)), { kind: "not_found", message: "there is no effect e9" });
  const twice = store.write("process", (tx) => tx.insertEffect(effectRow("e1", 2)));
  await assert.rejects(twice, { kind: "conflict" });
});
