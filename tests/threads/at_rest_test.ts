import assert from "node:assert/strict";
import { agent, handler } from "./definitions.ts";
import { Harness } from "./harness.ts";

const CHILD = `{ agent: "child", immediate: true, parentCommunication: "explicit" }`;

Deno.test("what is said at rest to a person has the thread wait for them, and tells them once", async () => {
  await using bench = await Harness.open({
    files: {
      "handlers/pass.ts": handler(
        `await (await state.getChildThread(state.children[0].reference)).queueMessage({ role: "user", content: "go" });`,
      ),
      "handlers/say.ts": handler(
        `await (await state.getParentThread()).injectMessage({ role: "assistant", content: "done" });`,
      ),
      "agents/it.ts": agent("it", `{ handler: "pass", subagents: [${CHILD}] }`, `{ human: true }`),
      "agents/child.ts": agent("child", `{ handler: "say" }`, `{ human: true }`, "exposeAsTool: true"),
    },
  });
  const thread = await bench.create("it");
  await bench.send(thread, "please");
  await bench.idle();
  assert.equal(bench.threads.show(thread).thread.status, "awaiting_human");
  assert.equal(bench.told.length, 1);
});

for (const across of [false, true]) {
  const where = across ? "across two threads" : "in one thread";
  Deno.test(`a chain of turns with no word from outside ${where} is told of, then stopped; nothing of it is lost`, async () => {
    const files = across
      ? {
        "handlers/down.ts": handler(
          `await (await state.getChildThread(state.children[0].reference)).queueMessage({ role: "user", content: "ping" });`,
        ),
        "handlers/up.ts": handler(`await state.notifyParent("pong");`),
        "agents/it.ts": agent("it", `{ handler: "down", subagents: [${CHILD}] }`, `{ human: true }`),
        "agents/child.ts": agent("child", `{ handler: "up" }`, `{ human: true }`, "exposeAsTool: true"),
      }
      : {
        "handlers/ping.ts": handler(`await state.injectMessage({ role: "assistant", content: "ping" });`),
        "handlers/pong.ts": handler(`await state.injectMessage({ role: "user", content: "pong" });`),
        "agents/it.ts": agent("it", `{ handler: "ping" }`, `{ handler: "pong" }`),
      };
    await using bench = await Harness.open({ files, settings: { pingPongTurns: 5 } });
    const thread = await bench.create("it");
    await bench.send(thread, "go");
    await bench.idle();
    const all = [thread, ...bench.threads.show(thread).children.map(({ reference }) => reference)];
    const page = { limit: 1000, offset: 0, order: "asc" } as const;
    const told = all.flatMap((id) => bench.threads.logs(id, page)).filter(({ kind }) => kind === "ping_pong");
    assert.deepEqual(
      told.map(({ data }) => JSON.parse(data).turns).sort((x, y) => x - y),
      Array.from({ length: 10 }, (_, n) => 5 * (n + 1)),
    );
    assert.equal(all.flatMap((id) => bench.threads.turns(id, page)).length, across ? 52 : 51);
    const stopped = all.filter((id) => bench.threads.show(id).thread.stopped);
    assert.equal(stopped.length, 1);
  });
}

Deno.test("a thread that waits for a person is not taken for one with work left", async () => {
  await using bench = await Harness.open({
    files: {
      "handlers/it.ts": handler(`await state.injectMessage({ role: "assistant", content: "well" });`),
      "agents/it.ts": agent("it", `{ handler: "it" }`, `{ human: true }`),
    },
  });
  const thread = await bench.create("it");
  await bench.send(thread, "hello");
  await bench.idle();
  assert.deepEqual(bench.store.unfinished(undefined), []);
});
