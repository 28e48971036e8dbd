import assert from "node:assert/strict";
import { logRow, messageRow, storeWithThread, threadRow, turnRow } from "./testing.ts";

Deno.test("changes of all kinds come in order of revision, each row once", async () => {
  using store = await storeWithThread();
  await store.write("process", (tx) => {
    tx.insertThread(threadRow("t2"));
    tx.insertMessage(messageRow(1));
    tx.insertTurn(turnRow(2));
    tx.insertLog(logRow(3));
    tx.insertMessage(messageRow(4));
    tx.saveLog(logRow(3, { rev: 5 }));
    tx.saveTurn(turnRow(2, { rev: 6, state: "done" }));
    tx.saveMessage(messageRow(1, { rev: 7, deleted: true }));
    tx.insertMessage(messageRow(8, { thread: "t2" }));
  });
  const after = (rev: number, limit = 99) =>
    store.changesAfter("t1", rev, limit).map(({ rev, kind, row }) => `${rev} ${kind} ${row.id}`);
  assert.deepEqual(after(0), ["4 message m4", "5 log l3", "6 turn u2", "7 message m1"]);
  assert.deepEqual(after(0, 2), ["4 message m4", "5 log l3"]);
  assert.deepEqual(after(4, 2), ["5 log l3", "6 turn u2"]);
  assert.deepEqual(after(6), ["7 message m1"]);
  assert.deepEqual(after(7), []);
  assert.deepEqual(after(0, 0), []);
  assert.deepEqual(store.changesAfter("t9", 0, 9), []);
});

Deno.test("whoever reads on from the last revision misses nothing, however rows were changed", async () => {
  using store = await storeWithThread();
  await store.write("process", (tx) => {
    for (let i = 0; i < 60; i++) tx.insertMessage(messageRow(i * 2 + 1));
    for (let i = 0; i < 60; i += 2) tx.saveMessage(messageRow(i * 2 + 1, { rev: i * 2 + 2 }));
    for (let i = 0; i < 60; i += 7) tx.saveMessage(messageRow(i * 2 + 1, { rev: 200 + i }));
  });
  const whole = store.changesAfter("t1", 0, 999);
  assert.equal(whole.length, 60);
  for (const limit of [1, 2, 7, 59]) {
    const read: typeof whole[number][] = [];
    for (let page = store.changesAfter("t1", 0, limit); page.length > 0;) {
      read.push(...page);
      page = store.changesAfter("t1", page.at(-1)!.rev, limit);
    }
    assert.deepEqual(read, whole, `pages of ${limit}`);
  }
});
