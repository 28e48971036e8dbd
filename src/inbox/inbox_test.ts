import assert from "node:assert/strict";
import { silentLogger, TestClock } from "../base/mod.ts";
import { openStore } from "../store/mod.ts";
import type { DesktopNotice } from "./desktop.ts";
import { Inbox, TooMuch } from "./inbox.ts";

async function scene() {
  const clock = new TestClock();
  const store = await openStore({ path: ":memory:", clock, log: silentLogger });
  const shown: DesktopNotice[] = [];
  const persons = new Map([["owner", true], ["alice", false]]);
  const inbox = new Inbox({
    clock,
    log: silentLogger,
    messages: store.inbox,
    desktop: { show: (notice) => Promise.resolve(void shown.push(notice)) },
    person(name) {
      const desktop = persons.get(name);
      return desktop === undefined
        ? undefined
        : { name, file: undefined, displayName: name, desktop, env: {} };
    },
  });
  return { clock, inbox, shown, [Symbol.dispose]: () => store.close() };
}

const MORNING = {
  person: "owner",
  source: "app:coach",
  title: "Good\u202e morning\n",
  text: "Up?\x1b[0m",
  link: "/today",
};

Deno.test("a message is kept clean, with its source, and shown under the source's name", async () => {
  using it = await scene();
  const message = it.inbox.put(MORNING);
  assert.deepEqual(it.inbox.list("owner", false), [message]);
  const { title, text, source, link, read, at } = message;
  assert.deepEqual([title, text, source, link, read, at], [
    "Good morning",
    "Up?[0m",
    "app:coach",
    "/today",
    false,
    1_700_000_000_000,
  ]);
  assert.deepEqual(it.shown, [{ title: "coach: Good morning", text: "Up?[0m" }]);
});

Deno.test("what is told to others is not shown on this desktop", async () => {
  using it = await scene();
  it.inbox.put({ ...MORNING, person: "alice" });
  assert.deepEqual(it.shown, []);
  assert.equal(it.inbox.list("alice", true).length, 1);
  assert.equal(it.inbox.unread("owner"), 0);
});

Deno.test("a source has a limit of its own, and is told when it is over", async () => {
  using it = await scene();
  for (let n = 0; n < 30; n++) {
    it.inbox.put(MORNING);
    it.clock.tick(1000);
  }
  assert.throws(() => it.inbox.put(MORNING), (error) => {
    assert.ok(error instanceof TooMuch);
    assert.match(error.message, /app:coach has put 30 messages into inboxes within an hour/);
    assert.equal(error.hint, "the next one is taken in 60 min");
    return true;
  });
  it.inbox.put({ ...MORNING, source: "app:notes" });
  it.clock.jump(1e12); // a clock that is set helps nobody past it
  assert.throws(() => it.inbox.put(MORNING), TooMuch);
  it.clock.tick(3_600_000 - 30_000);
  it.inbox.put(MORNING);
  assert.throws(() => it.inbox.put(MORNING), TooMuch);
});

Deno.test("nobody, no title and a link that leads out are refused, and count for nothing", async () => {
  using it = await scene();
  const wrong = [
    { ...MORNING, person: "nobody" },
    { ...MORNING, title: "\u202e \n" },
    ...[
      "//evil.example/",
      "/\\evil.example",
      "https://evil.example",
      "today",
      "/a b",
      "/a\nb",
      "javascript:x",
      "",
    ].map((
      link,
    ) => ({ ...MORNING, link })),
  ];
  for (const one of wrong) {
    assert.throws(() => it.inbox.put(one), /there is no person|has at least one letter|a path of/);
  }
  assert.deepEqual([it.inbox.list("owner", false), it.shown], [[], []]);
  assert.throws(() => it.inbox.list("nobody", false), { kind: "not_found" });
});

Deno.test("messages are marked as read all together or not at all", async () => {
  using it = await scene();
  const [a, b] = [it.inbox.put(MORNING), it.inbox.put(MORNING)];
  assert.throws(() => it.inbox.mark("owner", [a.id, "x"], true), { kind: "not_found" });
  assert.throws(() => it.inbox.mark("alice", [a.id], true), { kind: "not_found" });
  assert.equal(it.inbox.unread("owner"), 2);
  it.inbox.mark("owner", [a.id], true);
  assert.deepEqual(it.inbox.list("owner", true), [b]);
});
