import assert from "node:assert/strict";
import { sessionRow, storeWithThread } from "./testing.ts";

Deno.test("a session is put, put again when it ends, and listed by number", async () => {
  using store = await storeWithThread();
  const ended = sessionRow(1, { closedAt: 9, reason: "session_stop", success: true, result: "done" });
  const failed = sessionRow(2, { closedAt: 9, reason: "session_fail", success: false, result: "" });
  await store.write("process", (tx) => {
    tx.putSession(failed);
    tx.putSession(sessionRow(1));
  });
  assert.deepEqual(store.session("t1", 1), sessionRow(1));
  await store.write("process", (tx) => tx.putSession(ended));
  assert.deepEqual(store.sessions("t1"), [ended, failed]);
  assert.equal(store.session("t1", 3), undefined);
  assert.deepEqual(store.sessions("t9"), []);
});
