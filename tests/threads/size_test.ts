import assert from "node:assert/strict";
import { newId } from "../../src/base/mod.ts";
import { messageFor } from "../../bench/threads/turn.ts";
import { handled } from "./definitions.ts";
import { Harness } from "./harness.ts";

// HANDLER_MINUTE=1 for a thousand threads with a message each second for a minute.
const WHOLE = Deno.env.get("HANDLER_MINUTE") === "1";
const THREADS = WHOLE ? 1000 : 100, SECONDS = WHOLE ? 60 : 3;
const LONG = 100_000, BATCH = 20_000;
/** A part of a long thread may take so many times what it takes in a short one: what grew with its length would take far more. */
const MOST_RATIO = 10;

const ECHO = handled(`await state.injectMessage({ role: "assistant", content: message.content });`);

Deno.test(`${THREADS} threads with a message each second for ${SECONDS} s`, async () => {
  await using bench = await Harness.open({ files: ECHO });
  const threads = await Promise.all(Array.from({ length: THREADS }, () => bench.create("it")));
  const sent: Promise<unknown>[] = [];
  const began = performance.now();
  for (let second = 0; second < SECONDS; second++) {
    for (const [index, thread] of threads.entries()) {
      const due = began + 1000 * (second + index / THREADS);
      const early = due - performance.now();
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      sent.push(bench.send(thread, `${second}`));
    }
  }
  await Promise.all(sent);
  await bench.idle(60_000);
  const said = Array.from({ length: SECONDS }, (_, second) => `${second}`);
  for (const thread of threads) {
    const messages = bench.messages(thread);
    const of = (role: string) =>
      messages.filter((message) => message.role === role).map(({ content }) => content);
    assert.deepEqual(of("user"), said);
    assert.deepEqual(of("assistant"), said);
  }
});

/** Fills a thread with messages that have all been taken. */
async function fill(bench: Harness, thread: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    await bench.store.write("power", (tx) => {
      const row = tx.thread(thread)!;
      for (let n = 0; n < Math.min(BATCH, count - from); n++) {
        const role = n % 2 === 0 ? "user" : "assistant";
        tx.insertMessage(messageFor(thread, ++row.seq, role, `message ${from + n} ${newId()}`));
      }
      row.seenA = row.seenB = row.seq;
      tx.saveThread(row);
    });
  }
}

/** The least of some times: what other programs add is never negative. */
async function least(times: number, work: () => unknown): Promise<number> {
  let found = Infinity;
  for (let n = 0; n < times; n++) {
    const began = performance.now();
    await work();
    found = Math.min(found, performance.now() - began);
  }
  return found;
}

Deno.test(`a thread of ${LONG} messages opens, lists and goes on as a short one does`, async () => {
  await using bench = await Harness.open({ files: ECHO });
  const long = await bench.create("it"), short = await bench.create("it");
  await fill(bench, long, LONG);
  await fill(bench, short, 200);
  const page = { limit: 50, offset: 0, order: "desc", includeSilent: false } as const;
  const parts: Readonly<Record<string, (thread: string) => unknown>> = {
    open: (thread) => bench.threads.show(thread),
    list: (thread) => bench.threads.messages(thread, page),
    turn: async (thread) => {
      await bench.send(thread, "hello");
      await bench.idle();
    },
    changes: (thread) => bench.store.changesAfter(thread, bench.thread(thread).seq - 4, 100),
  };
  for (const [name, part] of Object.entries(parts)) {
    const ratio = await least(20, () => part(long)) / await least(20, () => part(short));
    assert.ok(ratio < MOST_RATIO, `${name} takes ${ratio.toFixed(1)} times as long`);
  }
  assert.equal(bench.threads.show(long).messages, LONG + 40);
  assert.equal(bench.threads.messages(long, page)[0]?.content, "hello");
});

Deno.test(`a thread of ${LONG} messages is removed while others go on`, async () => {
  await using bench = await Harness.open({ files: ECHO });
  const long = await bench.create("it"), short = await bench.create("it");
  await fill(bench, long, LONG);
  let removed = false, turns = 0;
  const removing = bench.threads.remove(long).then(() => removed = true);
  while (!removed) {
    await bench.send(short, "hello");
    await bench.idle();
    turns++;
  }
  await removing;
  assert.ok(turns >= 10, `only ${turns} turns of another thread fitted in between`);
  assert.throws(() => bench.threads.show(long), { kind: "not_found" });
});
