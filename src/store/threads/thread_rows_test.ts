import assert from "node:assert/strict";
import type { ChildLink, ThreadRow } from "./records.ts";
import {
  logRow,
  memoryStore,
  messageRow,
  sessionRow,
  storeWithThread,
  threadRow,
  turnRow,
} from "./testing.ts";

const link: ChildLink = {
  parent: "t1",
  relationship: "helper",
  owner: "b",
  communication: "explicit",
  blocking: true,
  spawnGroup: "g",
};

/** A thread with something in every field. */
const full: ThreadRow = threadRow("t2", {
  person: "ada",
  title: "A title",
  description: "what for",
  link,
  arguments: `{"depth":3}`,
  terminatedAt: 9,
  stopped: true,
  status: "awaiting_human",
  statusText: "looking",
  seq: 12,
  seenA: 4,
  seenB: 6,
  turn: "u9",
  session: 2,
  sessionOpen: true,
  turnsA: 1,
  turnsB: 2,
  hops: 3,
});

Deno.test("a thread comes back as it was given, as a copy", async () => {
  using store = await memoryStore();
  await store.write("process", (tx) => tx.insertThread(full));
  assert.deepEqual(store.thread("t2"), full);
  store.thread("t2")!.title = "changed";
  assert.equal(store.thread("t2")?.title, "A title");
  assert.equal(store.thread("nobody"), undefined);
});

Deno.test("everything that may change is saved, whether it changes often or seldom", async () => {
  const path = `${await Deno.makeTempDir()}/threads.db`;
  const saved = { ...full, id: "t1", link: null, arguments: "{}", person: null };
  {
    using store = await memoryStore(path);
    await store.write("process", (tx) => tx.insertThread(threadRow("t1")));
    await store.write("process", (tx) => tx.saveThread(saved));
    assert.deepEqual(store.thread("t1"), saved);
  }
  using again = await memoryStore(path);
  assert.deepEqual(again.thread("t1"), saved);
});

Deno.test("an id that is taken is a conflict, a thread that is not there cannot be saved", async () => {
  using store = await storeWithThread();
  const insert = store.write("process", (tx) => tx.insertThread(threadRow("t1")));
  await assert.rejects(insert, { kind: "conflict", message: /the thread t1 cannot be added/ });
  const save = store.write("process", (tx) => tx.saveThread(threadRow("t7")));
  await assert.rejects(save, { kind: "not_found", message: "there is no thread t7" });
});

Deno.test("threads are listed newest first, by what is asked for", async () => {
  using store = await memoryStore();
  await store.write("process", (tx) => {
    tx.insertThread(threadRow("t1", { person: "ada" }));
    tx.insertThread(threadRow("t2", { project: "shop", status: "running", agent: "baker" }));
    tx.insertThread(threadRow("t3", { link, terminatedAt: 5 }));
    tx.insertThread(threadRow("t4", { person: "ada", link: { ...link, parent: "t2" } }));
  });
  const ids = (query: Partial<Parameters<typeof store.threads>[0]>) =>
    store.threads({ limit: 10, offset: 0, ...query }).map(({ id }) => id).join();
  assert.equal(ids({}), "t4,t3,t2,t1");
  assert.equal(ids({ limit: 2, offset: 1 }), "t3,t2");
  assert.equal(ids({ project: "desk" }), "t4,t3,t1");
  assert.equal(ids({ person: "ada" }), "t4,t1");
  assert.equal(ids({ parent: null }), "t2,t1");
  assert.equal(ids({ parent: "t2" }), "t4");
  assert.equal(ids({ status: "running" }), "t2");
  assert.equal(ids({ agent: "baker" }), "t2");
  assert.equal(ids({ ended: true }), "t3");
  assert.equal(ids({ ended: false }), "t4,t2,t1");
  assert.equal(ids({ project: "desk", parent: null, person: "ada" }), "t1");
});

Deno.test("children come in order of creation", async () => {
  using store = await storeWithThread();
  await store.write("process", (tx) => {
    for (const id of ["c2", "c1", "c3"]) tx.insertThread(threadRow(id, { link }));
  });
  assert.deepEqual(store.children("t1").map(({ id }) => id), ["c2", "c1", "c3"]);
  assert.deepEqual(store.children("c1"), []);
  assert.deepEqual([store.countChildren("t1"), store.countChildren("c1")], [3, 0]);
});

Deno.test("unfinished is where a message waits for a side or a turn is marked", async () => {
  using store = await storeWithThread();
  const change = (row: Partial<ThreadRow>) =>
    store.write("process", (tx) => tx.saveThread({ ...tx.thread("t1")!, ...row }));
  assert.deepEqual(store.unfinished(undefined), []);
  await store.write("process", (tx) => {
    tx.insertMessage(messageRow(1));
    assert.deepEqual(tx.unfinished("desk"), ["t1"], "inside the transaction too");
  });
  assert.deepEqual(store.unfinished("desk"), ["t1"]);
  assert.deepEqual(store.unfinished("shop"), []);
  await change({ seq: 1, seenA: 1 });
  assert.deepEqual(store.unfinished(undefined), []);
  await change({ turn: "u2" });
  assert.deepEqual(store.unfinished(undefined), ["t1"]);
  await change({ turn: null });
  await store.write("process", (tx) => tx.insertMessage(messageRow(2, { role: "assistant" })));
  assert.deepEqual(store.unfinished(undefined), ["t1"]);
  await change({ terminatedAt: 5 });
  assert.deepEqual(store.unfinished(undefined), [], "nothing waits in a thread that has ended");
});

Deno.test("what does not wait does not make a thread unfinished", async () => {
  using store = await storeWithThread();
  await store.write("process", (tx) => {
    tx.insertMessage(messageRow(1, { role: "system" }));
    tx.insertMessage(messageRow(2, { role: "tool" }));
    tx.insertMessage(messageRow(3, { depth: 1 }));
    tx.insertMessage(messageRow(4));
  });
  await store.write("process", (tx) => tx.saveMessage({ ...tx.message("t1", "m4")!, deleted: true, rev: 5 }));
  assert.deepEqual(store.unfinished(undefined), []);
});

Deno.test("a thread that is removed takes along what is its own, and nothing else", async () => {
  using store = await storeWithThread();
  await store.write("process", (tx) => {
    tx.insertThread(threadRow("t2"));
    for (const thread of ["t1", "t2"]) {
      tx.insertMessage(messageRow(1, { thread }));
      tx.insertTurn(turnRow(2, { thread, id: `turn of ${thread}` }));
      tx.insertLog(logRow(3, { thread, id: `log of ${thread}` }));
      tx.putSession(sessionRow(1, { thread }));
      tx.putValue(thread, "key", "1");
      tx.putEnv(thread, { name: "A", value: "b", type: "text" });
    }
    tx.removeThread("t1");
    tx.removeThread("nobody");
  });
  assert.equal(store.thread("t1"), undefined);
  assert.equal(store.turn("turn of t1"), undefined);
  assert.equal(store.log("log of t1"), undefined);
  await store.write("process", (tx) => tx.insertThread(threadRow("t1")));
  assert.deepEqual(store.changesAfter("t1", 0, 10), []);
  assert.deepEqual([store.sessions("t1"), store.values("t1"), store.env("t1")], [[], [], []]);
  assert.equal(store.changesAfter("t2", 0, 10).length, 3);
  assert.equal(store.value("t2", "key"), "1");
});
