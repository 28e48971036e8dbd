import assert from "node:assert/strict";
import { silentLogger, TestClock } from "../base/mod.ts";
import type { InboxMessage } from "./inbox.ts";
import { openStore } from "./mod.ts";

const memory = () => openStore({ path: ":memory:", clock: new TestClock(), log: silentLogger });

function message(id: string, change: Partial<InboxMessage> = {}): InboxMessage {
  const rest = {
    source: "app:coach",
    title: "Morning",
    text: "How are you?",
    link: null,
    at: 1_700_000_000_000,
  };
  return { id, person: "owner", read: false, ...rest, ...change };
}

Deno.test("a message comes back as it was given, the newest first, to its person alone", async () => {
  using store = await memory();
  const given = [
    message("a", { link: "/today" }),
    message("b", { read: true }),
    message("c", { person: "alice" }),
  ];
  for (const one of given) store.inbox.add(one, 10);
  assert.deepEqual(store.inbox.list("owner", false), [given[1], given[0]]);
  assert.deepEqual(store.inbox.list("owner", true), [given[0]]);
  assert.deepEqual(store.inbox.list("alice", false), [given[2]]);
  assert.equal(store.inbox.unread("owner"), 1);
});

Deno.test("a person marks their own messages, each once", async () => {
  using store = await memory();
  store.inbox.add(message("a"), 10);
  store.inbox.add(message("b", { person: "alice" }), 10);
  assert.deepEqual(store.inbox.unknown("owner", ["a", "b", "c"]), ["b", "c"]);
  assert.equal(store.inbox.mark("owner", ["a", "b"], true), 1);
  assert.equal(store.inbox.mark("owner", ["a"], true), 0);
  assert.equal(store.inbox.mark("owner", ["a", "b"], false), 1);
  assert.equal(store.inbox.unread("owner"), 1);
  assert.equal(store.inbox.unread("alice"), 1);
});

Deno.test("what is too much goes from the same source and person: read ones first, then the oldest", async () => {
  using store = await memory();
  store.inbox.add(message("other", { source: "app:notes" }), 2);
  store.inbox.add(message("hers", { person: "alice" }), 2);
  for (const id of ["a", "b"]) store.inbox.add(message(id), 2);
  store.inbox.mark("owner", ["b"], true);
  store.inbox.add(message("c"), 2);
  assert.deepEqual(store.inbox.list("owner", false).map(({ id }) => id), ["c", "a", "other"]);
  store.inbox.add(message("d"), 2);
  assert.deepEqual(store.inbox.list("owner", false).map(({ id }) => id), ["d", "c", "other"]);
  store.inbox.forget("owner");
  assert.deepEqual(store.inbox.list("owner", false), []);
  assert.equal(store.inbox.list("alice", false).length, 1);
});
