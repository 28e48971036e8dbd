import assert from "node:assert/strict";
import { TestClock } from "../../src/base/mod.ts";
import { agent, handled, handler, prompt } from "./definitions.ts";
import { Harness } from "./harness.ts";

const HUMAN = "{ human: true }";

Deno.test("C-37 a handler answers in its own role, and a prompt sees it as the other party", async () => {
  await using bench = await Harness.open({
    files: {
      "handlers/side_a.ts": handler(
        `if (message.content === "open") await state.injectMessage({ role: "assistant", content: "from A" });`,
      ),
      "handlers/side_b.ts": handler(
        `if (message.content === "open") await state.injectMessage({ role: "user", content: "from B" });`,
      ),
      "prompts/talk.ts": prompt("talk"),
      "agents/left.ts": agent("left", `{ handler: "side_a" }`, `{ prompt: "talk" }`),
      "agents/right.ts": agent("right", `{ prompt: "talk" }`, `{ handler: "side_b" }`),
    },
  });
  const left = await bench.create("left"), right = await bench.create("right");
  await bench.send(left, "open", { side: "b" });
  await bench.send(right, "open", { side: "a" });
  await bench.idle();
  const said = (thread: string) => bench.messages(thread).map(({ role, content }) => [role, content]);
  assert.deepEqual(said(left), [["user", "open"], ["assistant", "from A"], ["user", "well"]]);
  assert.deepEqual(said(right), [["assistant", "open"], ["user", "from B"], ["assistant", "well"]]);
  for (const { messages } of bench.model.requests) {
    const last = messages.at(-1);
    assert.equal(last?.role, "user");
    assert.match(last?.content ?? "", /from [AB]/);
  }
  assert.equal(bench.model.requests.length, 2);
});

Deno.test("C-39 everything that controls a thread is within a handler's reach", async () => {
  const clock = new TestClock();
  await using bench = await Harness.open({
    clock,
    env: { CITY: "Ghent" },
    files: {
      "handlers/top.ts": handler(""),
      "handlers/low.ts": handler(
        `if (message.metadata?.scheduledEffect) return probe.note(message.metadata.scheduledEffect.name);
         await state.setValue("count", { n: 3 });
         probe.note(await state.getValue("count"));
         await state.setEnv("COLOUR", "blue");
         probe.note([await state.env("COLOUR"), await state.env("CITY")]);
         await state.writeFile("/notes/a.txt", "hello", "text/plain");
         probe.note(new TextDecoder().decode(await state.readFile("/notes/a.txt")));
         await state.scheduleEffect("later", { what: "x" }, 5000);
         probe.note((await state.getScheduledEffects()).map(({ name, args }) => [name, args]));
         await state.setStatus("nearly there");
         await state.stopSession({ result: "over", notifyParent: "bye" });`,
      ),
      "effects/later.ts": `export default defineEffect("Says something later", async (state) => {
  await state.queueMessage({ role: "user", content: "later" });
});`,
      "agents/top.ts": agent(
        "top",
        `{ handler: "top", subagents: [{ agent: "low", immediate: true, parentCommunication: "explicit" }] }`,
        HUMAN,
      ),
      "agents/low.ts": agent("low", `{ handler: "low" }`, HUMAN, `exposeAsTool: true, toolDescription: "x"`),
    },
  });
  const top = await bench.create("top");
  const low = bench.children(top)[0]!.id;
  await bench.send(low, "go");
  await bench.idle();
  assert.deepEqual(bench.turns(low).map(({ state, error }) => [state, error]), [["done", null]]);
  assert.deepEqual(bench.probe.notes, [
    { n: 3 },
    ["blue", "Ghent"],
    "hello",
    [["later", { what: "x" }]],
  ]);
  const [session] = bench.threads.sessions(low);
  assert.deepEqual([session?.reason, session?.result], ["state_stop_session", "over"]);
  assert.deepEqual(bench.threads.show(top).children.map(({ status }) => status), ["nearly there"]);
  assert.deepEqual(bench.messages(top).map(({ content, silent }) => [content, silent]), [["bye", true]]);
  clock.tick(5000);
  await bench.probe.until("later");
  await bench.idle();
  assert.equal(bench.store.value(low, "count"), `{"n":3}`);
});

Deno.test("C-41 no reply channel: what a handler returns goes nowhere", async () => {
  await using bench = await Harness.open({ files: handled(`return "an answer";`) });
  const thread = await bench.create("it");
  await bench.send(thread, "hello");
  await bench.idle();
  assert.deepEqual(bench.messages(thread).map(({ content }) => content), ["hello"]);
  assert.equal(bench.thread(thread).status, "idle");
  assert.deepEqual(bench.told, []);
});
