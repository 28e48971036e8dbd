import assert from "node:assert/strict";
import { storeWithThread, threadRow } from "./testing.ts";

Deno.test("values of a thread are set, replaced, removed and listed by key", async () => {
  using store = await storeWithThread();
  await store.write("process", (tx) => {
    tx.insertThread(threadRow("t2"));
    tx.putValue("t1", "b", "1");
    tx.putValue("t1", "a", `{"x":2}`);
    tx.putValue("t1", "b", "3");
    tx.putValue("t2", "a", "other");
    tx.putValue("t1", "gone", "4");
    tx.putValue("t1", "gone", undefined);
  });
  assert.deepEqual(store.values("t1"), [{ key: "a", value: `{"x":2}` }, { key: "b", value: "3" }]);
  assert.equal(store.value("t1", "b"), "3");
  assert.equal(store.value("t1", "gone"), undefined);
  assert.equal(store.value("t9", "b"), undefined);
  assert.deepEqual(store.values("t9"), []);
});

Deno.test("values of a person belong to no thread", async () => {
  using store = await storeWithThread();
  await store.write("process", (tx) => {
    tx.putPersonValue("ada", "k", "1");
    tx.putPersonValue("ben", "k", "2");
    tx.putPersonValue("ben", "k", undefined);
    tx.removeThread("t1");
  });
  assert.equal(store.personValue("ada", "k"), "1");
  assert.deepEqual(store.personValues("ada"), [{ key: "k", value: "1" }]);
  assert.deepEqual(store.personValues("ben"), []);
});
