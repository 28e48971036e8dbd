import assert from "node:assert/strict";
import { TestClock } from "../../src/base/mod.ts";
import { agent, handled, handler } from "./definitions.ts";
import { Harness } from "./harness.ts";

const inbound = (bench: Harness, thread: string, role = "user") =>
  bench.messages(thread).filter((message) => message.role === role).map(({ id }) => id);

Deno.test("C-15 exactly once per inbound message", async () => {
  await using bench = await Harness.open({ files: handled(`probe.note(message.id);`) });
  const thread = await bench.create("it");
  await Promise.all(
    Array.from({ length: 8 }, async (_, sender) => {
      for (let n = 0; n < 25; n++) await bench.send(thread, `${sender}.${n}`);
    }),
  );
  await bench.idle();
  assert.equal(bench.probe.notes.length, 200);
  assert.deepEqual(bench.probe.notes, inbound(bench, thread));
  assert.equal(bench.turns(thread).filter(({ state }) => state === "done").length, 200);
});

Deno.test("C-16 in the order of persistence, with one time for all", async () => {
  await using bench = await Harness.open({
    files: handled(`probe.note(message.id);`),
    clock: new TestClock(),
  });
  const thread = await bench.create("it");
  await Promise.all(Array.from({ length: 50 }, (_, n) => bench.send(thread, `${n}`)));
  await bench.idle();
  assert.equal(new Set(bench.messages(thread).map((message) => message.created_at)).size, 1);
  assert.deepEqual(bench.probe.notes, inbound(bench, thread));
});

Deno.test("C-17 a message of the same microsecond is delivered after the one in flight", async () => {
  await using bench = await Harness.open({
    files: handled(`probe.note(message.content); await probe.gate(message.content);`),
    clock: new TestClock(),
  });
  const thread = await bench.create("it");
  const m1 = await bench.send(thread, "m1");
  await bench.probe.at("m1");
  const m2 = await bench.send(thread, "m2");
  assert.equal(m1.created_at, m2.created_at);
  bench.probe.open("m1");
  bench.probe.open("m2");
  await bench.idle();
  assert.deepEqual(bench.probe.notes, ["m1", "m2"]);
});

for (const side of ["a", "b"] as const) {
  Deno.test(`C-18 only messages on this side's perspective: side ${side}`, async () => {
    const own = side === "a" ? "assistant" : "user", other = side === "a" ? "user" : "assistant";
    const it = `{ handler: "it" }`, human = "{ human: true }";
    await using bench = await Harness.open({
      files: {
        "handlers/it.ts": handler(
          `probe.note([message.role, message.content]);
           await state.injectMessage({ role: "${own}", content: "mine" });
           if (message.content === "first") await state.queueMessage({ role: "${other}", content: "theirs" });`,
        ),
        "agents/it.ts": agent("it", side === "a" ? it : human, side === "a" ? human : it),
      },
    });
    const thread = await bench.create("it");
    await bench.send(thread, "first");
    await bench.idle();
    assert.deepEqual(bench.probe.notes, [[other, "first"], [other, "theirs"]]);
  });
}

Deno.test("C-19 never two at a time for one thread", async () => {
  await using bench = await Harness.open({
    files: handled(
      `globalThis.active = (globalThis.active ?? 0) + 1;
       probe.note(globalThis.active);
       await new Promise((resolve) => setTimeout(resolve, 2));
       globalThis.active--;`,
    ),
  });
  const thread = await bench.create("it");
  await Promise.all(Array.from({ length: 20 }, (_, n) => bench.send(thread, `${n}`)));
  await bench.idle();
  assert.deepEqual(bench.probe.notes, Array(20).fill(1));
});

Deno.test("C-20 the limit is a thread's own", async () => {
  await using bench = await Harness.open({ files: handled(`await probe.gate(state.threadId);`) });
  const threads = [await bench.create("it"), await bench.create("it")];
  for (const thread of threads) await bench.send(thread, "go");
  await Promise.all(threads.map((thread) => bench.probe.at(thread))); // both stand there at once
  for (const thread of threads) bench.probe.open(thread);
  await bench.idle();
});

Deno.test("C-21 what comes while a turn is in flight waits for its end", async () => {
  await using bench = await Harness.open({
    files: handled(
      `probe.note("begin " + message.content);
       if (message.content === "m1") await probe.gate("m1");
       await state.setValue("last", message.content);
       probe.note("end " + message.content);`,
    ),
  });
  const thread = await bench.create("it");
  await bench.send(thread, "m1");
  await bench.probe.at("m1");
  await bench.send(thread, "m2");
  await bench.send(thread, "m3");
  assert.deepEqual(bench.probe.notes, ["begin m1"]);
  assert.deepEqual(bench.messages(thread).map(({ status }) => status), ["completed", "pending", "pending"]);
  assert.equal(bench.threads.show(thread).waiting, 2);
  bench.probe.open("m1");
  await bench.idle();
  assert.deepEqual(bench.probe.notes, ["begin m1", "end m1", "begin m2", "end m2", "begin m3", "end m3"]);
});

Deno.test("C-22 one at a time, each with a turn of its own", async () => {
  await using bench = await Harness.open({
    files: handled(
      `probe.note([message.content, Array.isArray(message)]);
       if (message.content === "m1") await probe.gate("m1");`,
    ),
  });
  const thread = await bench.create("it");
  for (const content of ["m1", "m2", "m3"]) await bench.send(thread, content);
  await bench.probe.at("m1");
  bench.probe.open("m1");
  await bench.idle();
  assert.deepEqual(bench.probe.notes, [["m1", false], ["m2", false], ["m3", false]]);
  const turns = bench.turns(thread);
  assert.deepEqual(turns.map(({ messageId }) => messageId), inbound(bench, thread));
  for (const [index, turn] of turns.entries()) {
    const before = turns[index - 1];
    if (before) assert.ok(turn.seq > before.rev, "a turn begins after the one before is closed");
  }
  assert.equal(bench.thread(thread).turnsA, 3);
});

Deno.test("C-23 no delivery again after a failure", async () => {
  await using bench = await Harness.open({
    files: handled(
      `probe.note(message.content);
       if (message.content === "m1") throw new Error("boom");`,
    ),
  });
  const thread = await bench.create("it");
  await bench.send(thread, "m1");
  await bench.idle();
  await bench.threads.resume(thread);
  await bench.idle();
  await bench.restart();
  await bench.idle();
  await bench.crash();
  await bench.idle();
  await bench.send(thread, "m2");
  await bench.idle();
  assert.deepEqual(bench.probe.notes, ["m1", "m2"]);
});

for (const who of ["thread host", "daemon"] as const) {
  Deno.test(`C-24 no delivery again after a crash in the middle of a turn: of the ${who}`, async () => {
    await using bench = await Harness.open({
      files: handled(
        `probe.note(message.content);
         if (message.content === "m1") await probe.gate("m1");`,
      ),
    });
    const thread = await bench.create("it");
    await bench.send(thread, "m1");
    await bench.probe.at("m1");
    await bench.send(thread, "m2");
    if (who === "daemon") await bench.crash();
    else bench.hosts.kill("desk");
    await bench.idle();
    await bench.send(thread, "m3");
    await bench.idle();
    assert.deepEqual(bench.probe.notes, ["m1", "m2", "m3"]);
    const [first, ...rest] = bench.turns(thread);
    assert.equal(first?.state, "interrupted");
    assert.equal(first?.error?.type, "interrupted_incomplete");
    assert.equal(first?.error?.origin, "runtime");
    assert.deepEqual(rest.map(({ state }) => state), ["done", "done"]);
  });
}

Deno.test("C-25 trying again is userland's: a message sent again is another one", async () => {
  await using bench = await Harness.open({
    files: handled(`probe.note([message.id, message.content]); throw new Error("boom");`),
  });
  const thread = await bench.create("it");
  const first = await bench.send(thread, "same");
  await bench.idle();
  const second = await bench.send(thread, "same");
  await bench.idle();
  assert.notEqual(first.id, second.id);
  assert.deepEqual(bench.probe.notes, [[first.id, "same"], [second.id, "same"]]);
});
