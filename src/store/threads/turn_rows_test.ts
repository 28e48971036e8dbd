import assert from "node:assert/strict";
import { ALL, storeWithThread, threadRow, turnRow } from "./testing.ts";

const closed = turnRow(2, {
  rev: 4,
  side: "b",
  backing: "prompt",
  state: "failed",
  endedAt: 12,
  stopCode: "max_session_turns",
  error: { message: "no", type: "handler_execution_error", origin: "runtime", stack: "at x" },
});

Deno.test("a turn comes back by its id alone, whatever thread it is of", async () => {
  using store = await storeWithThread({ seq: 77 });
  await store.write("process", (tx) => {
    tx.insertThread(threadRow("t2"));
    tx.insertTurn(turnRow(1));
    tx.insertTurn({ ...closed, thread: "t2" });
  });
  assert.deepEqual(store.turn("u1"), turnRow(1));
  assert.deepEqual(store.turn("u2"), { ...closed, thread: "t2" });
  assert.equal(store.turn("u3"), undefined);
});

Deno.test("a turn is closed, and listed from either end", async () => {
  using store = await storeWithThread();
  await store.write("process", (tx) => {
    for (const seq of [1, 2, 3]) tx.insertTurn(turnRow(seq));
    tx.saveTurn({ ...closed, side: "a", backing: "handler" });
  });
  assert.deepEqual(store.turn("u2"), { ...closed, side: "a", backing: "handler" });
  const list = (change: Partial<typeof ALL>) =>
    store.turns("t1", { ...ALL, ...change }).map(({ id }) => id).join();
  assert.equal(list({}), "u1,u2,u3");
  assert.equal(list({ order: "desc", limit: 1, offset: 1 }), "u2");
  assert.deepEqual(store.turns("t9", ALL), []);
});

Deno.test("a turn that is there twice, or not at all", async () => {
  using store = await storeWithThread();
  await store.write("process", (tx) => tx.insertTurn(turnRow(1)));
  const twice = store.write("process", (tx) => tx.insertTurn(turnRow(2, { id: "u1" })));
  await assert.rejects(twice, { kind: "conflict", message: /the turn u1 cannot be added/ });
  const missing = store.write("process", (tx) => tx.saveTurn(turnRow(9)));
  await assert.rejects(missing, { kind: "not_found", message: "there is no turn u9" });
});
