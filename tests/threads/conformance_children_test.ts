import assert from "node:assert/strict";
import { agent, handler, prompt } from "./definitions.ts";
import { Harness } from "./harness.ts";

const HUMAN = "{ human: true }";
const EXPOSED = `exposeAsTool: true, toolDescription: "helps"`;

/** A handler on side A that owns children of the agent `low`, which a handler takes too. */
function family(top: string, low: string, relationship: string) {
  return {
    "handlers/top.ts": handler(top),
    "handlers/low.ts": handler(low),
    "agents/top.ts": agent(
      "top",
      `{ handler: "top", subagents: [{ agent: "low", ${relationship} }] }`,
      HUMAN,
    ),
    "agents/low.ts": agent("low", `{ handler: "low" }`, `{ handler: "low" }`, EXPOSED),
  };
}

const FORWARD = `const [child] = state.children;
  await (await state.getChildThread(child.reference)).queueMessage({ role: "user", content: message.content });`;

Deno.test("C-26 a blocking child stalls its parent's thread alone", async () => {
  await using bench = await Harness.open({
    files: family(
      `probe.note("begin " + message.content);
       if (message.content === "wait") {
         const { result } = await state.invokeTool("subagent_create", { agent: "low", message: "work", name: "x" });
         probe.note(JSON.parse(result).result);
       }
       probe.note("end " + message.content);`,
      `await probe.gate("low"); await state.stopSession({ result: "worked" });`,
      `blocking: true`,
    ),
  });
  const thread = await bench.create("top"), other = await bench.create("top");
  await bench.send(thread, "wait");
  await bench.probe.at("low");
  await bench.send(thread, "next");
  await bench.send(other, "meanwhile");
  while (!bench.probe.notes.includes("end meanwhile")) await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(bench.probe.notes, ["begin wait", "begin meanwhile", "end meanwhile"]);
  bench.probe.open("low");
  await bench.idle();
  assert.deepEqual(bench.probe.notes.slice(3), ["worked", "end wait", "begin next", "end next"]);
});

Deno.test("C-27 a relay forwards without blocking: the child's reply is a later turn of its own", async () => {
  await using bench = await Harness.open({
    files: family(
      `probe.note("top begins " + message.content);
       if (message.metadata?.subagent_id === undefined) { ${FORWARD} }
       probe.note("top ends");`,
      `probe.note("low begins"); await probe.gate("low"); await state.notifyParent("answer"); probe.note("low ends");`,
      `immediate: true, maxInstances: 1, parentCommunication: "explicit"`,
    ),
  });
  const thread = await bench.create("top");
  await bench.send(thread, "ask");
  await bench.probe.at("low");
  await bench.probe.until("top ends");
  bench.probe.open("low");
  await bench.idle();
  const notes = bench.probe.notes.filter((note) => !String(note).startsWith("low"));
  assert.deepEqual(notes, ["top begins ask", "top ends", "top begins answer", "top ends"]);
  const order = bench.probe.notes;
  assert.ok(order.indexOf("top ends") < order.indexOf("low ends"), "the relay did not wait for its child");
  assert.equal(bench.turns(thread).length, 2);
});

Deno.test("C-28 each child's messages keep their order", async () => {
  await using bench = await Harness.open({
    files: {
      ...family(
        `if (message.metadata?.subagent_id) return probe.note([message.metadata.subagent_id, message.content]);
         for (const child of state.children) {
           await (await state.getChildThread(child.reference)).queueMessage({ role: "user", content: "go" });
         }`,
        `const parent = await state.getParentThread();
         for (let n = 0; n < 5; n++) {
           await parent.queueMessage({ role: "user", content: String(n), metadata: { subagent_id: state.threadId } });
           await new Promise((resolve) => setTimeout(resolve, n % 2));
         }`,
        `as: "first", immediate: true, parentCommunication: "explicit" }, {
         agent: "low", as: "second", immediate: true, parentCommunication: "explicit"`,
      ),
    },
  });
  const thread = await bench.create("top");
  await bench.send(thread, "go");
  await bench.idle();
  const heard = bench.probe.notes as [string, string][];
  for (const { id } of bench.children(thread)) {
    assert.deepEqual(heard.filter(([child]) => child === id).map(([, n]) => n), ["0", "1", "2", "3", "4"]);
  }
  assert.equal(heard.length, 10);
});

Deno.test("C-36 forward to a child, and from it to the parent's owning side", async () => {
  await using bench = await Harness.open({
    files: family(
      `probe.note(["top", message.role, message.content, message.silent ?? false, message.metadata?.subagent_id]);
       if (!message.metadata?.subagent_id) { ${FORWARD} }`,
      `probe.note(["low", message.role, message.content, state.execution.currentSide]);
       await state.notifyParent("back");`,
      `immediate: true, parentCommunication: "explicit"`,
    ),
  });
  const thread = await bench.create("top");
  const [child] = bench.children(thread);
  await bench.send(thread, "there");
  await bench.idle();
  assert.deepEqual(bench.probe.notes, [
    ["top", "user", "there", false, undefined],
    ["low", "user", "there", "a"],
    ["top", "user", "back", true, child?.id],
  ]);
});

Deno.test("C-38 a handler makes children of its own side's relationships alone", async () => {
  await using bench = await Harness.open({
    files: {
      ...family(
        `if (message.content !== "go") return;
         const made = await state.invokeTool("subagent_create", { agent: "helper", message: "work", name: "one" });
         probe.note([made.status, made.subagent_id === state.children[0]?.reference]);
         probe.note(state.children.map(({ relationship, owner, name }) => [relationship, owner, name]));
         const other = await state.invokeTool("subagent_create", { agent: "stranger", message: "x", name: "x" });
         probe.note([other.status, state.children.length]);`,
        "",
        `as: "helper"`,
      ),
      "agents/stranger.ts": agent("stranger", `{ handler: "low" }`, HUMAN, EXPOSED),
    },
  });
  const thread = await bench.create("top");
  await bench.send(thread, "go");
  await bench.probe.times(3);
  assert.deepEqual(bench.probe.notes, [["success", true], [["helper", "a", "low"]], ["error", 1]]);
  await bench.idle();
});

Deno.test("C-40 no grant is needed: no prompt and no tool anywhere", async () => {
  await using bench = await Harness.open({
    files: family(
      `probe.note(message.content); if (!message.metadata?.subagent_id) { ${FORWARD} }`,
      `await state.notifyParent("low heard " + message.content);`,
      `immediate: true, parentCommunication: "explicit"`,
    ),
  });
  const { definitions } = await bench.threads.check("desk");
  assert.deepEqual([definitions.prompts, definitions.tools], [[], []]);
  const thread = await bench.create("top");
  await bench.send(thread, "ask");
  await bench.idle();
  assert.deepEqual(bench.probe.notes, ["ask", "low heard ask"]);
});

Deno.test("C-45 the relay of the chapter, with no model at work in the outer thread", async () => {
  await using bench = await Harness.open({
    files: {
      "handlers/relay_pipe.ts": handler(
        `if (message.metadata?.subagent_id) return void await state.invokeTool("message_user", { text: message.content });
         const child = state.children.find((c) => c.relationship === "assistant_agent");
         if (child) {
           const thread = await state.getChildThread(child.reference);
           await thread?.queueMessage({ role: "user", content: message.content ?? "" });
         }`,
      ),
      "tools/message_user.ts": `import { z } from "npm:zod@4.6.7";
export default defineTool({
  description: "Says something to the user",
  args: z.object({ text: z.string() }),
  execute: async (state, { text }) => {
    await state.injectMessage({ role: "assistant", content: text });
    return { status: "success" };
  },
});`,
      "tools/answer.ts": `import { z } from "npm:zod@4.6.7";
export default defineTool({
  description: "Answers",
  args: z.object({ text: z.string() }),
  execute: async (state, { text }) => {
    await state.notifyParent(text);
    return { status: "success", result: "told" };
  },
});`,
      "prompts/assistant.ts": prompt("assistant", `tools: ["answer"]`),
      "agents/relay_agent.ts": agent(
        "relay_agent",
        `{
    handler: "relay_pipe",
    subagents: [{
      agent: "assistant_agent",
      maxInstances: 1,
      immediate: true,
      parentCommunication: "explicit",
    }],
  }`,
        HUMAN,
      ),
      "agents/assistant_agent.ts": agent(
        "assistant_agent",
        `{ prompt: "assistant" }`,
        HUMAN,
        EXPOSED,
      ),
    },
  });
  bench.model.answer = (_, count) =>
    count % 2 === 1
      ? { text: null, tool_calls: [{ name: "answer", arguments: { text: "forty-two" } }] }
      : "said";
  const outer = await bench.create("relay_agent");
  const [child, ...more] = bench.children(outer);
  assert.equal(child?.link?.relationship, "assistant_agent");
  assert.deepEqual(more, []);
  await bench.send(outer, "what is it?");
  await bench.idle();
  const [first] = bench.messages(child.id);
  assert.deepEqual([first?.role, first?.content], ["user", "what is it?"]);
  assert.deepEqual(
    bench.messages(outer).map(({ role, content, silent }) => [role, content, silent ?? false]),
    [
      ["user", "what is it?", false],
      ["user", "forty-two", true],
      ["assistant", "forty-two", false],
    ],
  );
  assert.equal(bench.turns(outer).length, 2);
  const requests = bench.threads.logs(outer, { limit: 100, offset: 0, order: "asc" })
    .filter(({ kind }) => kind === "model_request");
  assert.deepEqual(requests, []);
  assert.ok(bench.model.requests.length > 0);
});

Deno.test("C-46 a child's answer lands on the side that owns it: side B", async () => {
  await using bench = await Harness.open({
    files: {
      "handlers/top.ts": handler(
        `probe.note([state.execution.currentSide, message.role, message.content]);
         if (!message.metadata?.subagent_id) { ${FORWARD} }`,
      ),
      "handlers/low.ts": handler(`await state.notifyParent("back");`),
      "agents/top.ts": agent(
        "top",
        HUMAN,
        `{ handler: "top", subagents: [{ agent: "low", immediate: true, parentCommunication: "explicit" }] }`,
      ),
      "agents/low.ts": agent("low", `{ handler: "low" }`, HUMAN, EXPOSED),
    },
  });
  const thread = await bench.create("top");
  await bench.send(thread, "there");
  await bench.idle();
  assert.deepEqual(bench.probe.notes, [["b", "assistant", "there"], ["b", "assistant", "back"]]);
});

Deno.test("C-47 the first statement of the first turn finds the immediate child", async () => {
  await using bench = await Harness.open({
    files: family(
      `const first = state.children; probe.note(first.map(({ relationship, status }) => [relationship, status]));`,
      "",
      `immediate: true`,
    ),
  });
  const thread = await bench.create("top");
  await bench.send(thread, "go");
  await bench.idle();
  assert.deepEqual(bench.probe.notes, [[["low", "idle"]]]);
});
