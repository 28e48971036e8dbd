import assert from "node:assert/strict";
import { TestClock } from "../../src/base/mod.ts";
import { agent, handler } from "./definitions.ts";
import { Harness } from "./harness.ts";

const EXPOSED = `exposeAsTool: true, toolDescription: "helps"`;

/** A person's agent whose implicit child `mid` has an explicit child `low`. */
function three(mid: string, low: string) {
  const both = (name: string, children = "[]") =>
    [`{ handler: "${name}", subagents: ${children} }`, `{ handler: "idle" }`] as const;
  return {
    "handlers/top.ts": handler(
      `if (message.metadata?.subagent_id) return probe.note(message.metadata.result);
       await (await state.getChildThread(state.children[0].reference)).queueMessage({ role: "user", content: "go" });`,
    ),
    "handlers/mid.ts": handler(mid),
    "handlers/low.ts": handler(low),
    "handlers/idle.ts": handler(""),
    "effects/silent.ts":
      `export default defineEffect("Does something", async () => { await probe.gate("effect"); });`,
    "agents/top.ts": agent(
      "top",
      `{ handler: "top", subagents: [{ agent: "mid", immediate: true }] }`,
      "{ human: true }",
    ),
    "agents/mid.ts": agent(
      "mid",
      ...both("mid", `[{ agent: "low", immediate: true, parentCommunication: "explicit" }]`),
      EXPOSED,
    ),
    "agents/low.ts": agent("low", ...both("low"), EXPOSED),
  };
}

const FORWARD = `await state.injectMessage({ role: "assistant", content: "asked" });
  await (await state.getChildThread(state.children[0].reference)).queueMessage({ role: "user", content: "work" });`;

/** The session of the only child, by why it ended. */
const endOf = (bench: Harness, top: string) => bench.threads.sessions(bench.children(top)[0]!.id)[0]?.reason;

Deno.test("a child whose effect ends without a word is quiet then, not before", async () => {
  const clock = new TestClock();
  await using bench = await Harness.open({
    clock,
    files: three(
      `await state.injectMessage({ role: "assistant", content: "so far" });
       await state.scheduleEffect("silent", {}, 1000);`,
      "",
    ),
  });
  const top = await bench.create("top");
  await bench.send(top, "go");
  await bench.idle();
  assert.equal(endOf(bench, top), null);
  clock.tick(1000);
  await bench.probe.at("effect");
  assert.equal(endOf(bench, top), null);
  bench.probe.open("effect");
  await bench.probe.until("so far");
  assert.equal(endOf(bench, top), "quiet");
});

Deno.test("a child whose own child comes to rest without a word is quiet then, not before", async () => {
  await using bench = await Harness.open({ files: three(FORWARD, `await probe.gate("low");`) });
  const top = await bench.create("top");
  await bench.send(top, "go");
  await bench.probe.at("low");
  assert.equal(endOf(bench, top), null);
  bench.probe.open("low");
  await bench.probe.until("asked");
  assert.equal(endOf(bench, top), "quiet");
  await bench.idle();
});

Deno.test("a child whose own child is terminated is quiet then", async () => {
  await using bench = await Harness.open({ files: three(FORWARD, `await probe.gate("low");`) });
  const top = await bench.create("top");
  await bench.send(top, "go");
  await bench.probe.at("low");
  const [low] = bench.children(bench.children(top)[0]!.id);
  await bench.threads.terminate(low!.id);
  await bench.probe.until("asked");
  bench.probe.open("low");
  await bench.idle();
});
