import assert from "node:assert/strict";
import { silentLogger, TestClock } from "../../base/mod.ts";
import { openDatabase } from "../../platform/mod.ts";
import { openThreadStore } from "./open.ts";
import { memoryStore, messageRow, storeWithThread, threadRow } from "./testing.ts";

Deno.test("what a failed write changed of a thread is forgotten", async () => {
  using store = await storeWithThread();
  const fail = store.write("power", (tx) => {
    tx.insertMessage(messageRow(1));
    tx.saveThread(threadRow("t1", { title: "never", seq: 1 }));
    assert.equal(tx.thread("t1")?.title, "never");
    assert.equal(tx.countMessages("t1", { includeSilent: false, maxDepth: 0 }), 1);
    throw new Error("no");
  });
  await assert.rejects(fail, /no/);
  assert.deepEqual(store.thread("t1"), threadRow("t1"));
  assert.equal(store.countMessages("t1", { includeSilent: false, maxDepth: 0 }), 0);
  assert.equal(store.nextInbound("t1", "user", 0), undefined);
});

Deno.test("a thread that a failed write made is not there, nor is its number", async () => {
  using store = await memoryStore();
  const fail = store.write("power", (tx) => {
    tx.insertThread(threadRow("t1"));
    tx.insertMessage(messageRow(1));
    throw new Error("no");
  });
  await assert.rejects(fail, /no/);
  assert.equal(store.thread("t1"), undefined);
  await store.write("power", (tx) => {
    tx.insertThread(threadRow("t2"));
    tx.insertThread(threadRow("t1"));
    tx.insertMessage(messageRow(1));
  });
  assert.equal(store.message("t2", "m1"), undefined);
  assert.equal(store.message("t1", "m1")?.thread, "t1");
});

Deno.test("in a group, a failed work's changes go and its neighbours' stay", async () => {
  using store = await storeWithThread();
  const title = (text: string, fails: boolean) =>
    store.write("power", (tx) => {
      const thread = tx.thread("t1")!;
      tx.saveThread({ ...thread, title: `${thread.title ?? ""}${text}` });
      if (fails) throw new Error("no");
    });
  await Promise.allSettled([title("a", false), title("b", true), title("c", false)]);
  assert.equal(store.thread("t1")?.title, "ac");
});

Deno.test("what was noted is in the file, whether the thread was saved after a message or before", async () => {
  const path = `${await Deno.makeTempDir()}/threads.db`;
  const open = () => openThreadStore({ path, clock: new TestClock(), log: silentLogger });
  {
    using store = await open();
    await store.write("process", (tx) => {
      tx.insertThread(threadRow("t1"));
      tx.insertMessage(messageRow(1));
      tx.saveThread(threadRow("t1", { seq: 1 }));
      tx.saveThread(threadRow("t1", { seq: 3 }));
      tx.insertMessage(messageRow(2, { role: "assistant" }));
      tx.insertMessage(messageRow(3, { silent: true }));
    });
  }
  {
    using db = openDatabase(path);
    const row = db.get("SELECT last_user, last_assistant, shown, hidden FROM states");
    assert.deepEqual({ ...row }, { last_user: 3, last_assistant: 2, shown: 2, hidden: 1 });
  }
  using store = await open();
  assert.deepEqual(store.unfinished(undefined), ["t1"]);
});

Deno.test("more threads than are kept at hand are written and read all the same", async () => {
  using store = await memoryStore();
  const ids = Array.from({ length: 5000 }, (_, i) => `t${i}`);
  await store.write("process", (tx) => ids.forEach((id) => tx.insertThread(threadRow(id))));
  await store.write("process", (tx) => {
    for (const thread of ids) tx.insertMessage(messageRow(1, { thread }));
    for (const id of ids) tx.saveThread({ ...tx.thread(id)!, seq: 1, title: id });
  });
  for (const id of ids) {
    assert.equal(store.thread(id)?.title, id);
    assert.equal(store.countMessages(id, { includeSilent: false, maxDepth: 0 }), 1);
  }
  assert.equal(store.unfinished("desk").length, 5000);
});
