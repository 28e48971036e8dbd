import assert from "node:assert/strict";
import { HandlerError } from "../../src/base/mod.ts";
import type { ThreadStore } from "../../src/store/mod.ts";
import { agent, handled, handler } from "./definitions.ts";
import { Harness } from "./harness.ts";

const THROWN: readonly (readonly [string, string, string])[] = [
  ["at once", `export default defineHandler({ execute: () => { throw new Error("boom"); } });`, "boom"],
  ["later", handler(`await undefined; throw new TypeError("boom");`), "boom"],
  ["no error at all", handler(`throw "boom";`), "boom"],
  ["nothing", handler(`throw undefined;`), ""],
];
for (const [what, text, expected] of THROWN) {
  Deno.test(`C-29 what is thrown is fatal to the turn alone: ${what}`, async () => {
    await using bench = await Harness.open({
      files: {
        ...handled(""),
        "handlers/it.ts": text,
        "handlers/fine.ts": handler(`probe.note("fine");`),
        "agents/fine.ts": agent("fine", `{ handler: "fine" }`, "{ human: true }"),
      },
    });
    const thread = await bench.create("it"), other = await bench.create("fine");
    await bench.send(thread, "go");
    await bench.idle();
    const [turn] = bench.turns(thread);
    assert.equal(turn?.state, "failed");
    assert.ok(turn?.error?.message.includes(expected), turn?.error?.message);
    assert.equal(bench.thread(thread).terminatedAt, null);
    await bench.send(other, "go");
    await bench.idle();
    assert.deepEqual(bench.probe.notes, ["fine"]);
    assert.equal(bench.hosts.started, 1, "the host lives on");
  });
}

/** A store whose disk refuses a number of writes, from when it is told to. */
function refusing(faults: { left: number }): (store: ThreadStore) => ThreadStore {
  return (store) => ({
    ...store,
    write: (durability, work) => {
      if (faults.left === 0) return store.write(durability, work);
      faults.left--;
      return Promise.reject(new HandlerError("unavailable", "storing threads: the disk is full"));
    },
  });
}

Deno.test("C-30 the error is in the log, of the runtime's origin, even where the log could not be written at first", async () => {
  const faults = { left: 0 };
  await using bench = await Harness.open({
    files: handled(`await probe.gate("go"); throw new Error("boom");`),
    around: refusing(faults),
  });
  const thread = await bench.create("it");
  const sent = await bench.send(thread, "go");
  await bench.probe.at("go");
  faults.left = 1;
  bench.probe.open("go");
  await bench.idle();
  const [turn, ...more] = bench.turns(thread);
  assert.deepEqual(more, []);
  assert.deepEqual([turn?.messageId, turn?.state, turn?.error?.message, turn?.error?.origin], [
    sent.id,
    "failed",
    "boom",
    "runtime",
  ]);
  assert.equal(faults.left, 0);
});

Deno.test("C-31 nothing is rolled back", async () => {
  await using bench = await Harness.open({
    files: handled(
      `await state.setValue("k", 1);
       await state.injectMessage({ role: "assistant", content: "so far" });
       throw new Error("boom");`,
    ),
  });
  const thread = await bench.create("it");
  await bench.send(thread, "go");
  await bench.idle();
  assert.deepEqual(bench.messages(thread).map(({ role, content }) => [role, content]), [
    ["user", "go"],
    ["assistant", "so far"],
  ]);
  assert.equal(bench.store.value(thread, "k"), "1");
});

Deno.test("C-32 the session goes on and what waits is handled in it", async () => {
  await using bench = await Harness.open({
    files: handled(
      `probe.note(message.content);
       if (message.content === "m1") { await probe.gate("m1"); throw new Error("boom"); }`,
    ),
  });
  const thread = await bench.create("it");
  await bench.send(thread, "m1");
  await bench.probe.at("m1");
  await bench.send(thread, "m2");
  bench.probe.open("m1");
  await bench.idle();
  assert.deepEqual(bench.probe.notes, ["m1", "m2"]);
  assert.deepEqual(bench.turns(thread).map(({ session, state }) => [session, state]), [[1, "failed"], [
    1,
    "done",
  ]]);
  assert.deepEqual(bench.threads.sessions(thread).map(({ closedAt }) => closedAt), [null]);
  assert.equal(bench.thread(thread).status, "idle");
});

Deno.test("C-32 a child whose turn throws is not failed in its parent's registry", async () => {
  await using bench = await Harness.open({
    files: {
      "handlers/top.ts": handler(`probe.note(state.children.map(({ status }) => status));`),
      "handlers/low.ts": handler(`throw new Error("boom");`),
      "agents/top.ts": agent(
        "top",
        `{ handler: "top", subagents: [{ agent: "low", immediate: true, parentCommunication: "explicit" }] }`,
        "{ human: true }",
      ),
      "agents/low.ts": agent(
        "low",
        `{ handler: "low" }`,
        "{ human: true }",
        `exposeAsTool: true, toolDescription: "x"`,
      ),
    },
  });
  const top = await bench.create("top");
  const [low] = bench.children(top);
  await bench.send(low!.id, "go");
  await bench.idle();
  await bench.send(top, "look");
  await bench.idle();
  assert.deepEqual(bench.probe.notes, [["idle"]]);
});

Deno.test("C-33 the next message gets a fresh invocation", async () => {
  await using bench = await Harness.open({
    files: handled(
      `probe.note([message.content, Object.keys(state.context).length, state.execution.flowId]);
       state.context.seen = true;
       message.content = "spoiled";
       if (state.context.seen && globalThis.thrown === undefined) { globalThis.thrown = 1; throw new Error("boom"); }
       probe.note((await state.getMessage(message.id)).content);`,
    ),
  });
  const thread = await bench.create("it");
  await bench.send(thread, "m1");
  await bench.send(thread, "m2");
  await bench.idle();
  const turns = bench.turns(thread);
  assert.deepEqual(turns.map(({ state }) => state), ["failed", "done"]);
  assert.deepEqual(bench.probe.notes, [["m1", 0, turns[0]?.id], ["m2", 0, turns[1]?.id], "m2"]);
});

Deno.test("C-34 a hook that throws does not fail the turn", async () => {
  await using bench = await Harness.open({
    files: {
      ...handled(`await state.injectMessage({ role: "assistant", content: "fine" });`, `hooks: ["bad"]`),
      "hooks/bad.ts":
        `export default defineHook({ hook: "after_create_message", id: "bad", execute: async () => { probe.note("hook"); throw new Error("hooked"); } });`,
    },
  });
  const thread = await bench.create("it");
  await bench.send(thread, "go");
  await bench.idle();
  assert.ok(bench.probe.notes.length >= 1, "the hook ran");
  assert.deepEqual(bench.turns(thread).map(({ state }) => state), ["done"]);
  assert.deepEqual(bench.messages(thread).map(({ content }) => content), ["go", "fine"]);
  const logs = bench.threads.logs(thread, { limit: 10, offset: 0, order: "asc" });
  assert.ok(logs.length >= 1);
  for (const { kind, error } of logs) assert.deepEqual([kind, error?.origin], ["hook_failure", "hook:bad"]);
});

Deno.test("C-35 an error ends the session where the handler says so", async () => {
  await using bench = await Harness.open({
    files: handled(
      `try { throw new Error("boom"); }
       catch (error) { await state.stopSession({ result: error.message }); }`,
    ),
  });
  const thread = await bench.create("it");
  await bench.send(thread, "go");
  await bench.idle();
  const [session] = bench.threads.sessions(thread);
  assert.deepEqual([session?.reason, session?.result], ["state_stop_session", "boom"]);
  assert.deepEqual(bench.turns(thread).map(({ state }) => state), ["done"]);
});
