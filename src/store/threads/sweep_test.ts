import assert from "node:assert/strict";
import { silentLogger, systemClock } from "../../base/mod.ts";
import { openThreadStore } from "./open.ts";
import { logRow, messageRow, sessionRow, threadRow, turnRow } from "./testing.ts";

Deno.test("a thread is gone at once, and what it leaves goes in slices", async () => {
  let now = 0;
  const clock = { ...systemClock, monotonic: () => now++ };
  using store = await openThreadStore({ path: ":memory:", clock, log: silentLogger });
  await store.write("process", (tx) => {
    tx.insertThread(threadRow("t1"));
    tx.insertThread({ ...threadRow("t2"), link: { ...LINK, parent: "t1" } });
    for (let seq = 1; seq <= 5000; seq++) tx.insertMessage(messageRow(seq));
    tx.insertTurn(turnRow(5001));
    tx.insertLog(logRow(5002));
  });
  await store.write("power", (tx) => tx.removeThread("t2"));
  await store.write("power", (tx) => tx.removeThread("t1"));
  assert.equal(store.thread("t1"), undefined);
  assert.deepEqual(store.threads({ limit: 9, offset: 0 }), []);
  assert.deepEqual([store.children("t1"), store.countChildren("t1")], [[], 0]);
  assert.deepEqual([store.turn(turnRow(1).id), store.log(logRow(1).id)], [undefined, undefined]);
  await store.write("process", (tx) => tx.insertThread(threadRow("t1")));
  assert.deepEqual(store.changesAfter("t1", 0, 9), []);
  let slices = 1;
  while (await store.write("process", (tx) => tx.sweep())) slices++;
  assert.ok(slices > 1, "one slice took it all");
  await store.write("process", (tx) => tx.insertTurn(turnRow(1)));
  assert.equal(store.thread("t1")?.id, "t1");
  assert.equal(await store.write("process", (tx) => tx.sweep()), false);
});

const LINK = {
  relationship: "kid",
  owner: "a",
  communication: "implicit",
  blocking: false,
  spawnGroup: null,
} as const;

Deno.test("what a killed process left over is swept by the next one, and no new thread gets it", async () => {
  const folder = await Deno.makeTempDir({ prefix: "sweep-" });
  const open = () => openThreadStore({ path: `${folder}/t.db`, clock: systemClock, log: silentLogger });
  try {
    {
      using store = await open();
      await store.write("process", (tx) => {
        tx.insertThread(threadRow("t1"));
        tx.insertMessage(messageRow(1));
        tx.putSession(sessionRow(1));
        tx.putValue("t1", "key", "1");
        tx.removeThread("t1");
      });
    }
    using store = await open();
    await store.write("process", (tx) => tx.insertThread(threadRow("t1")));
    assert.deepEqual([store.message("t1", "m1"), store.sessions("t1"), store.values("t1")], [
      undefined,
      [],
      [],
    ]);
    while (await store.write("process", (tx) => tx.sweep()));
    await store.write("process", (tx) => tx.insertMessage(messageRow(1)));
    assert.equal(store.message("t1", "m1")?.seq, 1);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
