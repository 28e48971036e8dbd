import assert from "node:assert/strict";
import type { MessageRow } from "./records.ts";
import { ALL_MESSAGES, messageRow, storeWithThread, threadRow } from "./testing.ts";

/** A message with something in every field. */
const full: MessageRow = messageRow(7, {
  rev: 9,
  role: "tool",
  content: null,
  name: "search",
  toolCalls: `[{"id":"c1","name":"search","arguments":{}}]`,
  toolCallId: "c1",
  toolStatus: "error",
  silent: true,
  metadata: `{"k":1}`,
  attachments: "[]",
  parentId: "m1",
  depth: 2,
  turn: "u1",
  hops: 4,
  deleted: true,
});

Deno.test("a message comes back as it was given", async () => {
  using store = await storeWithThread();
  await store.write("process", (tx) => {
    tx.insertMessage(full);
    tx.insertMessage(messageRow(8, { role: "system" }));
  });
  assert.deepEqual(store.message("t1", "m7"), full);
  assert.deepEqual(store.message("t1", "m8"), messageRow(8, { role: "system" }));
  assert.equal(store.message("t1", "m1"), undefined);
  assert.equal(store.message("t2", "m7"), undefined);
});

Deno.test("a message's id is taken in its own thread alone", async () => {
  using store = await storeWithThread();
  await store.write("process", (tx) => {
    tx.insertThread(threadRow("t2"));
    tx.insertMessage(messageRow(1));
    tx.insertMessage(messageRow(1, { thread: "t2", content: "other" }));
  });
  assert.equal(store.message("t2", "m1")?.content, "other");
  const twice = store.write("process", (tx) => tx.insertMessage(messageRow(2, { id: "m1" })));
  await assert.rejects(twice, { kind: "conflict" });
  const nowhere = store.write("process", (tx) => tx.insertMessage(messageRow(2, { thread: "t9" })));
  await assert.rejects(nowhere, { kind: "not_found", message: "there is no thread t9" });
});

Deno.test("what waits for a side is the first top-level row of its role after a place", async () => {
  using store = await storeWithThread();
  await store.write("process", (tx) => {
    tx.insertMessage(messageRow(1, { depth: 1 }));
    tx.insertMessage(messageRow(2, { role: "assistant" }));
    tx.insertMessage(messageRow(3, { silent: true }));
    tx.insertMessage(messageRow(4));
    tx.insertMessage(messageRow(5, { role: "system" }));
  });
  const next = (role: MessageRow["role"], after: number) => store.nextInbound("t1", role, after)?.id;
  assert.equal(next("user", 0), "m3");
  assert.equal(next("user", 3), "m4");
  assert.equal(next("user", 4), undefined);
  assert.equal(next("assistant", 0), "m2");
  assert.equal(next("assistant", 2), undefined);
  assert.equal(next("system", 0), "m5");
  assert.equal(store.nextInbound("t9", "user", 0), undefined);
  await store.write("process", (tx) => tx.saveMessage({ ...tx.message("t1", "m3")!, deleted: true, rev: 6 }));
  assert.equal(next("user", 0), "m4");
});

Deno.test("the last message is a top-level one that is not deleted", async () => {
  using store = await storeWithThread();
  assert.equal(store.lastMessage("t1"), undefined);
  await store.write("process", (tx) => {
    tx.insertMessage(messageRow(1));
    tx.insertMessage(messageRow(2, { role: "assistant" }));
    tx.insertMessage(messageRow(3, { deleted: true }));
    tx.insertMessage(messageRow(4, { depth: 1 }));
  });
  assert.equal(store.lastMessage("t1")?.id, "m2");
  assert.equal(store.lastMessage("t1", "user")?.id, "m1");
  assert.equal(store.lastMessage("t1", "tool"), undefined);
});

Deno.test("messages are listed from either end, silent and deeper ones where asked for", async () => {
  using store = await storeWithThread();
  await store.write("process", (tx) => {
    for (let seq = 1; seq <= 6; seq++) {
      tx.insertMessage(messageRow(seq, { silent: seq === 2, depth: seq === 3 ? 1 : seq === 4 ? 2 : 0 }));
    }
    tx.insertMessage(messageRow(7, { deleted: true }));
  });
  const list = (change: Partial<typeof ALL_MESSAGES>) =>
    store.messages("t1", { ...ALL_MESSAGES, ...change }).map(({ seq }) => seq).join();
  assert.equal(list({}), "1,2,3,4,5,6");
  assert.equal(list({ order: "desc", limit: 2 }), "6,5");
  assert.equal(list({ offset: 4 }), "5,6");
  assert.equal(list({ maxDepth: 0 }), "1,2,5,6");
  assert.equal(list({ maxDepth: 1, includeSilent: false }), "1,3,5,6");
  assert.equal(list({ after: 1, before: 6, maxDepth: 0 }), "2,5");
  assert.equal(list({ before: 6, maxDepth: 0, order: "desc", limit: 1 }), "5");
  const count = (includeSilent: boolean, maxDepth: number) =>
    store.countMessages("t1", { includeSilent, maxDepth });
  assert.deepEqual([count(false, 0), count(true, 0), count(false, 1), count(true, 9)], [3, 4, 4, 6]);
  assert.equal(store.countMessages("t9", { includeSilent: true, maxDepth: 0 }), 0);
  assert.deepEqual(store.messages("t9", ALL_MESSAGES), []);
});

Deno.test("a message is changed in what may change; a deletion can be taken back", async () => {
  using store = await storeWithThread();
  await store.write("process", (tx) => tx.insertMessage(messageRow(1)));
  const save = (change: Partial<MessageRow>) =>
    store.write("process", (tx) => tx.saveMessage({ ...tx.message("t1", "m1")!, ...change }));
  const count = () => store.countMessages("t1", { includeSilent: false, maxDepth: 0 });
  await save({ rev: 2, content: "new", metadata: "{}", attachments: "[1]" });
  const changed = messageRow(1, { rev: 2, content: "new", metadata: "{}", attachments: "[1]" });
  assert.deepEqual(store.message("t1", "m1"), changed);
  await save({ rev: 3, deleted: true });
  await save({ rev: 4, deleted: true });
  assert.deepEqual([count(), store.nextInbound("t1", "user", 0)], [0, undefined]);
  await save({ rev: 5, deleted: false });
  assert.deepEqual([count(), store.nextInbound("t1", "user", 0)?.rev], [1, 5]);
  const missing = store.write("process", (tx) => tx.saveMessage(messageRow(2)));
  await assert.rejects(missing, { kind: "not_found", message: "there is no message m2" });
});

Deno.test("a message with a role or a place that there is not is refused", async () => {
  using store = await storeWithThread();
  const insert = (row: MessageRow) => store.write("process", (tx) => tx.insertMessage(row));
  const role = "robot" as MessageRow["role"];
  await assert.rejects(insert(messageRow(1, { role })), { kind: "invalid", message: /found robot$/ });
  await assert.rejects(insert(messageRow(1.5)), { kind: "invalid", message: /a value of the wrong kind$/ });
  assert.deepEqual(store.messages("t1", ALL_MESSAGES), []);
});
