import assert from "node:assert/strict";
import { silentLogger, TestClock } from "../../base/mod.ts";
import { openDatabase } from "../../platform/mod.ts";
import { openThreadStore } from "./open.ts";
import { ALL_MESSAGES, memoryStore, messageRow, threadRow } from "./testing.ts";

const temporary = async () => `${await Deno.makeTempDir()}/state/threads.db`;

Deno.test("an empty file gets its shape, a closed one opens again as it was", async () => {
  const path = await temporary();
  {
    using store = await memoryStore(path);
    await store.write("power", (tx) => {
      tx.insertThread(threadRow("t1"));
      tx.insertMessage(messageRow(1));
    });
  }
  using db = openDatabase(path);
  assert.equal(db.get("PRAGMA user_version")?.user_version, 1);
  using store = await memoryStore(path);
  assert.deepEqual(store.messages("t1", ALL_MESSAGES), [messageRow(1)]);
});

Deno.test("a file of a newer Handler is refused, as is one that is no database", async () => {
  const path = await temporary();
  (await memoryStore(path)).close();
  {
    using db = openDatabase(path);
    db.exec("PRAGMA user_version = 99");
  }
  const options = { clock: new TestClock(), log: silentLogger };
  await assert.rejects(openThreadStore({ path, ...options }), { kind: "conflict", message: /has shape 99/ });
  const text = `${await Deno.makeTempDir()}/threads.db`;
  await Deno.writeTextFile(text, "no database at all, but text that is long enough to be looked at");
  await assert.rejects(openThreadStore({ path: text, ...options }), {
    kind: "unavailable",
    message: /the file is not a SQLite database/,
  });
});

Deno.test("what waits is written by closing; then nothing is taken", async () => {
  const path = await temporary();
  const store = await memoryStore(path);
  const waiting = store.write("process", (tx) => tx.insertThread(threadRow("t1")));
  store.close();
  store.close();
  await waiting;
  await assert.rejects(store.write("process", () => 1), { kind: "unavailable" });
  using again = await memoryStore(path);
  assert.equal(again.thread("t1")?.id, "t1");
});

Deno.test("reads see what is committed, reads in a write what it wrote", async () => {
  using store = await memoryStore();
  const written = store.write("process", (tx) => {
    tx.insertThread(threadRow("t1"));
    return tx.thread("t1")?.id;
  });
  assert.equal(store.thread("t1"), undefined);
  assert.equal(await written, "t1");
  assert.equal(store.thread("t1")?.id, "t1");
});

Deno.test("a snapshot stays as it was and does not hold up writes", async () => {
  using store = await memoryStore(await temporary());
  await store.write("power", (tx) => tx.insertThread(threadRow("t1")));
  using before = store.snapshot();
  await store.write("power", (tx) => {
    tx.insertMessage(messageRow(1));
    tx.saveThread(threadRow("t1", { seq: 1, title: "new" }));
  });
  assert.deepEqual(before.thread("t1"), threadRow("t1"));
  assert.deepEqual(before.messages("t1", ALL_MESSAGES), []);
  assert.equal(store.thread("t1")?.title, "new");
  using after = store.snapshot();
  assert.equal(after.thread("t1")?.title, "new");
});

Deno.test("a damaged file fails reads in words", async () => {
  const path = await temporary();
  const text = "x".repeat(3000);
  {
    using store = await memoryStore(path);
    await store.write("power", (tx) => {
      tx.insertThread(threadRow("t1"));
      for (let seq = 1; seq < 2000; seq++) tx.insertMessage(messageRow(seq, { content: text }));
    });
  }
  const bytes = await Deno.readFile(path);
  bytes.fill(255, bytes.length >> 1, bytes.length - 100_000);
  await Deno.writeFile(path, bytes);
  using store = await memoryStore(path);
  assert.throws(() => store.messages("t1", ALL_MESSAGES), {
    kind: "unavailable",
    message: "reading threads: the file is damaged",
  });
});
