import assert from "node:assert/strict";
import { agent, handled, handler, prompt } from "./definitions.ts";
import { Harness, PROJECT } from "./harness.ts";

Deno.test("C-02 execute gets the whole state and the whole stored message", async () => {
  await using bench = await Harness.open({
    files: handled(
      `if (message.content === "go") {
         return await state.queueMessage({ role: "user", content: "x", silent: true, metadata: { k: 1 } });
       }
       probe.note(message);
       probe.note(await state.getMessage(message.id));
       probe.note([state.threadId, state.agentId, state.userId, typeof state.createdAt, state.terminated,
         state.children, state.arguments, typeof state.context, state.execution.currentSide,
         state.execution.stepCount]);`,
    ),
  });
  const thread = await bench.create("it", { arguments: { topic: "rain" } });
  await bench.send(thread, "go");
  await bench.idle();
  const [given, stored, properties] = bench.probe.notes as [
    { readonly [key: string]: unknown },
    unknown,
    readonly unknown[],
  ];
  assert.deepEqual(given, stored);
  const { id, created_at, ...rest } = given;
  assert.equal(typeof id, "string");
  assert.ok(Math.abs(Number(created_at) / 1000 - Date.now()) < 60_000);
  assert.deepEqual(rest, {
    role: "user",
    content: "x",
    silent: true,
    metadata: { k: 1 },
    status: "completed",
  });
  assert.deepEqual(properties, [
    thread,
    "it",
    "ann",
    "number",
    null,
    [],
    { topic: "rain" },
    "object",
    "a",
    0,
  ]);
});

Deno.test("C-08 one inbound message, one invocation, then the thread rests", async () => {
  await using bench = await Harness.open({
    files: handled(`probe.note(message.content); if (message.content === "bad") throw new Error("boom");`),
  });
  for (const content of ["good", "bad"]) {
    const thread = await bench.create("it");
    await bench.send(thread, content);
    await bench.idle();
    assert.equal(bench.turns(thread).length, 1);
    assert.equal(bench.thread(thread).turn, null);
    assert.equal(bench.thread(thread).status, "idle");
  }
  assert.deepEqual(bench.probe.notes, ["good", "bad"]);
});

Deno.test("C-09 no steps, no tool loop, no model request", async () => {
  await using bench = await Harness.open({
    files: handled(
      `const { stepCount, sideAStepCount, sideBStepCount } = state.execution;
       probe.note([stepCount, sideAStepCount, sideBStepCount]);
       await state.injectMessage({ role: "assistant", content: "heard" });`,
    ),
  });
  const thread = await bench.create("it");
  for (let n = 0; n < 10; n++) await bench.send(thread, `${n}`);
  await bench.idle();
  assert.deepEqual(bench.probe.notes, Array(10).fill([0, 0, 0]));
  assert.equal(bench.model.requests.length, 0);
  assert.equal(bench.threads.logs(thread, { limit: 10, offset: 0, order: "asc" }).length, 0);
});

Deno.test("C-11 a handler ends its session with stopSession, the thread lives on", async () => {
  await using bench = await Harness.open({
    files: handled(`if (message.content === "end") await state.stopSession({ result: "done" });`),
  });
  const thread = await bench.create("it");
  for (const content of ["begin", "end", "again"]) {
    await bench.send(thread, content);
    await bench.idle();
  }
  const sessions = bench.threads.sessions(thread);
  assert.deepEqual(sessions.map(({ number, reason, success, result }) => [number, reason, success, result]), [
    [1, "state_stop_session", true, "done"],
    [2, null, null, null],
  ]);
  assert.equal(bench.thread(thread).terminatedAt, null);
  assert.deepEqual(bench.turns(thread).map(({ session, state, stopCode }) => [session, state, stopCode]), [
    [1, "done", null],
    [1, "done", "state_stop_session"],
    [2, "done", null],
  ]);
});

const SIDES = {
  prompt: (side: string) => `{ prompt: "talk", label: "${side}" }`,
  handler: (side: string) => `{ handler: "reply_${side}" }`,
} as const;

/** A project whose two sides always reply to each other. */
function pingPong(a: keyof typeof SIDES, b: keyof typeof SIDES, cap: number) {
  return {
    "prompts/talk.ts": prompt("talk"),
    "handlers/reply_a.ts": handler(`await state.injectMessage({ role: "assistant", content: "ping" });`),
    "handlers/reply_b.ts": handler(`await state.injectMessage({ role: "user", content: "pong" });`),
    "agents/it.ts": agent("it", SIDES[a]("a"), SIDES[b]("b"), `maxSessionTurns: ${cap}`),
  };
}

const PAIRS = [["prompt", "prompt"], ["handler", "prompt"], ["prompt", "handler"], [
  "handler",
  "handler",
]] as const;
for (const [id, cap] of [["C-12", 3], ["C-43", 5]] as const) {
  for (const [a, b] of PAIRS) {
    Deno.test(`${id} a cap of ${cap} exchanges ends the session: ${a} and ${b}`, async () => {
      await using bench = await Harness.open({ files: pingPong(a, b, cap) });
      const thread = await bench.create("it");
      await bench.send(thread, "go");
      await bench.idle();
      const turns = bench.turns(thread);
      assert.ok(
        turns.every(({ state }) => state === "done"),
        JSON.stringify(turns.map(({ error }) => error)),
      );
      for (const side of ["a", "b"]) assert.equal(turns.filter((turn) => turn.side === side).length, cap);
      const sessions = bench.threads.sessions(thread);
      assert.deepEqual(sessions.map(({ reason }) => reason), ["max_session_turns"]);
      assert.equal(bench.thread(thread).terminatedAt, null);
      await bench.send(thread, "once more");
      await bench.idle();
      assert.equal(bench.threads.sessions(thread).length, 2, "the next message opens another session");
    });
  }
}

Deno.test("C-12 a cap counts a person's messages as their side's turns", async () => {
  await using bench = await Harness.open({
    files: handled(`await state.injectMessage({ role: "assistant", content: "aye" });`, "maxSessionTurns: 3"),
  });
  const thread = await bench.create("it");
  for (let n = 0; n < 7; n++) {
    await bench.send(thread, `${n}`);
    await bench.idle();
  }
  const reasons = bench.threads.sessions(thread).map(({ reason }) => reason);
  assert.deepEqual(reasons, ["max_session_turns", "max_session_turns", null]);
  assert.equal(bench.turns(thread).length, 7);
});

Deno.test("C-13 a handler's turn is in the log, with its message, its name and how long it took", async () => {
  await using bench = await Harness.open({
    files: handled(
      `await new Promise((resolve) => setTimeout(resolve, 20)); probe.note(await state.getLogs());`,
    ),
  });
  const thread = await bench.create("it");
  const first = await bench.send(thread, "1");
  await bench.idle();
  await bench.send(thread, "2");
  await bench.idle();
  const [turn] = bench.turns(thread);
  assert.equal(turn?.messageId, first.id);
  assert.equal(turn?.name, "it");
  assert.equal(turn?.state, "done");
  assert.ok((turn?.endedAt ?? 0) - (turn?.startedAt ?? 0) >= 15_000);
  const logs = bench.probe.notes[1] as readonly { readonly [key: string]: unknown }[];
  const row = logs.find(({ message_id }) => message_id === first.id);
  assert.deepEqual(
    [row?.["kind"], row?.["provider"], row?.["model"], row?.["endpoint"], row?.["is_complete"]],
    ["handler_execution", "system", "it", "handler.execute", true],
  );
  assert.ok(Number(row?.["latency_ms"]) >= 15);
});

Deno.test("C-14 a failure is the runtime's, not a provider's", async () => {
  await using bench = await Harness.open({
    files: handled(
      `if (message.content === "1") throw new Error("boom"); probe.note(await state.getLogs());`,
    ),
  });
  const thread = await bench.create("it");
  const first = await bench.send(thread, "1");
  await bench.send(thread, "2");
  await bench.idle();
  const [turn] = bench.turns(thread);
  assert.equal(turn?.state, "failed");
  const { message, type, origin } = turn?.error ?? {};
  assert.deepEqual([message, type, origin], ["boom", "handler_execution_error", "runtime"]);
  const logs = bench.probe.notes[0] as readonly { readonly [key: string]: unknown }[];
  const row = logs.find(({ message_id }) => message_id === first.id);
  assert.deepEqual([row?.["error"], row?.["error_type"], row?.["error_origin"]], [
    "boom",
    "handler_execution_error",
    "runtime",
  ]);
  assert.equal(row?.["provider"], "system");
});

Deno.test("C-42 a handler runs only when a message comes", async () => {
  const { TestClock } = await import("../../src/base/mod.ts");
  const clock = new TestClock();
  await using bench = await Harness.open({ files: handled(`probe.note(message.content);`), clock });
  const thread = await bench.create("it");
  for (let minute = 0; minute < 60; minute++) {
    clock.tick(60_000);
    await bench.idle();
  }
  assert.deepEqual(bench.probe.notes, []);
  assert.deepEqual(bench.turns(thread), []);
  assert.equal(bench.hosts.current(PROJECT)?.definitions.handlers.length, 1);
});

Deno.test("C-44 a handler that does not answer gives its sibling no turn", async () => {
  await using bench = await Harness.open({
    files: {
      ...pingPong("handler", "prompt", 100),
      "handlers/reply_a.ts": handler(
        `globalThis.heard = (globalThis.heard ?? 0) + 1;
         if (globalThis.heard !== 3) await state.injectMessage({ role: "assistant", content: "ping" });`,
      ),
    },
  });
  const thread = await bench.create("it");
  await bench.send(thread, "go");
  await bench.idle();
  assert.deepEqual(bench.turns(thread).map(({ side }) => side), ["a", "b", "a", "b", "a"]);
  assert.equal(bench.model.requests.length, 2);
});
