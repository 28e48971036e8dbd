import assert from "node:assert/strict";
import { TestClock } from "../base/mod.ts";
import { Changes } from "./changes.ts";

/** What a watcher gets, as it takes it. */
function watching(changes: Changes) {
  const left = new AbortController();
  const source = changes.watch(left.signal);
  const got: string[] = [];
  const done = (async () => {
    for await (const { topic, key } of source) got.push(key === null ? topic : `${topic} ${key}`);
  })();
  const settle = () => new Promise((go) => setTimeout(go, 0));
  return { got, settle, stop: () => (left.abort(), done) };
}

Deno.test("the first change is told at once, those that follow closely together", async () => {
  const clock = new TestClock();
  const changes = new Changes(clock);
  changes.tell("calls"); // nobody hears it
  const { got, settle, stop } = watching(changes);
  changes.tell("jobs", "j1");
  for (let i = 0; i < 1000; i++) changes.tell("calls");
  await settle();
  assert.deepEqual(got, ["jobs j1", "calls"]);
  clock.tick(199);
  await settle();
  assert.equal(got.length, 2);
  clock.tick(1);
  await settle();
  assert.deepEqual(got, ["jobs j1", "calls", "calls"]);
  clock.tick(1000);
  await settle();
  assert.equal(got.length, 3, "what rests is told no more");
  await stop();
  assert.equal(changes.watched, false);
});

Deno.test("what a slow reader has not taken is bounded", async () => {
  const clock = new TestClock();
  const changes = new Changes(clock);
  const left = new AbortController();
  const source = changes.watch(left.signal);
  const first = source.next();
  for (let round = 0; round < 100; round++) {
    for (let i = 0; i < 100; i++) changes.tell("threads", `t${round}-${i}`);
    clock.tick(200);
  }
  changes.tell("sessions", "s1");
  const got = [(await first).value!];
  left.abort();
  changes.tell("calls");
  for await (const one of source) got.push(one);
  assert.ok(got.length <= 300, `${got.length} changes were kept`);
});

Deno.test("so many things at once are told as a whole topic", async () => {
  const changes = new Changes(new TestClock());
  const { got, settle, stop } = watching(changes);
  for (let i = 0; i < 10_000; i++) changes.tell("threads", `t${i}`);
  await settle();
  assert.ok(got.length <= 257 && got.includes("threads"), `${got.length} changes were told`);
  await stop();
});
