import assert from "node:assert/strict";
import type { FakeAnswer } from "./fake_model.ts";
import { agent, handler, prompt } from "./definitions.ts";
import { Harness } from "./harness.ts";

const HUMAN = "{ human: true }";

const call = (name: string, args: unknown): FakeAnswer =>
  ({ text: null, tool_calls: [{ name, arguments: args }] }) as FakeAnswer;

const create = (more: object = {}) =>
  call("subagent_create", { agent: "kid", message: "do it", attachments: [], name: "first", ...more });

/** A parent whose side A is a prompt with the child `kid`, itself a prompt with a handler on side B that says nothing. */
function family(relationship: string, kid = "", promptMore = ""): Readonly<Record<string, string>> {
  return {
    "prompts/parent.ts": prompt("parent"),
    "prompts/kid.ts": prompt("kid", `${promptMore}`),
    "handlers/quiet.ts": handler(""),
    "agents/parent.ts": agent(
      "parent",
      `{ prompt: "parent", subagents: [{ agent: "kid", ${relationship} }] }`,
      HUMAN,
    ),
    "agents/kid.ts": agent(
      "kid",
      `{ prompt: "kid", ${kid} }`,
      `{ handler: "quiet" }`,
      `exposeAsTool: true, toolDescription: "a kid",`,
    ),
  };
}

/** The parent's model and the child's, told apart by the words that only the parent's requests have. */
function models(bench: Harness, parent: readonly FakeAnswer[], kid: readonly FakeAnswer[]): void {
  const counts = { parent: 0, kid: 0 };
  bench.model.answer = (request) => {
    const who = JSON.stringify(request.messages).includes("from outside") ? "parent" : "kid";
    const list = who === "parent" ? parent : kid;
    return list[Math.min(counts[who]++, list.length - 1)]!;
  };
}

async function started(bench: Harness): Promise<string> {
  const thread = await bench.create("parent");
  await bench.send(thread, "from outside");
  await bench.idle();
  return thread;
}

const results = (bench: Harness, thread: string) =>
  bench.messages(thread).filter(({ role }) => role === "tool").map(({ content }) => content!);

Deno.test("a child works on its own; its answer comes to its parent as a silent message", async () => {
  await using bench = await Harness.open({ files: family("") });
  models(bench, [create(), "started", "it is done"], ["the kid's answer"]);
  const thread = await started(bench);
  const [kid] = bench.children(thread);
  assert.deepEqual([kid!.agent, kid!.title, kid!.link?.owner], ["kid", "first", "a"]);
  assert.match(results(bench, thread)[0]!, new RegExp(`"referenceId":"${kid!.id}","status":"running"`));
  assert.deepEqual(bench.messages(kid!.id).map(({ role, content }) => [role, content]), [
    ["user", "do it"],
    ["assistant", "the kid's answer"],
  ]);
  const report = bench.messages(thread).find(({ silent }) => silent);
  assert.match(report!.content!, /finished: the kid's answer/);
  assert.equal(bench.messages(thread).at(-1)!.content, "it is done");
});

Deno.test("a blocking child's result is the call's, and nothing else comes", async () => {
  await using bench = await Harness.open({ files: family("blocking: true") });
  models(bench, [create(), "thank you"], ["the kid's answer"]);
  const thread = await started(bench);
  assert.match(results(bench, thread)[0]!, /"status":"finished","result":"the kid's answer"/);
  assert.equal(bench.messages(thread).some(({ silent }) => silent), false);
  assert.equal(bench.messages(thread).at(-1)!.content, "thank you");
});

Deno.test("a blocking child fails where its tool says so", async () => {
  const files = {
    ...family("blocking: true", `sessionFail: { name: "fail" }`),
    "tools/fail.ts":
      `export default defineTool({ description: "fails", execute: async () => ({ status: "success", result: "no way" }) });\n`,
  };
  await using bench = await Harness.open({ files });
  models(bench, [create(), "too bad"], [call("fail", {})]);
  const thread = await started(bench);
  const result = bench.messages(thread).find(({ role }) => role === "tool");
  assert.equal(result!.tool_status, "error");
  assert.match(result!.content!, /^no way \(subagent_failed\)/);
});

Deno.test("lifecycle tools are offered as there is use for them", async () => {
  await using bench = await Harness.open({ files: family("maxInstances: 1") });
  models(bench, [create(), create(), call("subagents", {}), "done"], ["well"]);
  const thread = await started(bench);
  const first = bench.model.requests[0]!.system!;
  assert.match(first, /## subagent_create\n/);
  assert.match(first, /- kid: a kid/);
  assert.doesNotMatch(first, /## subagent_message\n/);
  const later = bench.model.requests.findLast(({ messages }) =>
    JSON.stringify(messages).includes("from outside")
  )!;
  assert.match(later.system!, /## subagent_message\n/);
  const [kid] = bench.children(thread);
  const [, refused, list] = results(bench, thread);
  assert.match(refused!, new RegExp(`may have 1 at a time, and has: ${kid!.id}`));
  assert.match(list!, new RegExp(`"referenceId":"${kid!.id}","agent":"kid","name":"first"`));
  assert.equal(bench.children(thread).length, 1);
});

Deno.test("with one blocking instance, creating goes on with the one that is there", async () => {
  await using bench = await Harness.open({ files: family("blocking: true, maxInstances: 1") });
  models(bench, [create(), create({ message: "and again" }), "done"], ["one", "two"]);
  const thread = await started(bench);
  assert.equal(bench.children(thread).length, 1);
  assert.match(results(bench, thread)[1]!, /"result":"two"/);
  const [kid] = bench.children(thread);
  assert.deepEqual(bench.messages(kid!.id).map(({ content }) => content), [
    "do it",
    "one",
    "and again",
    "two",
  ]);
});

Deno.test("a relationship that is off or hidden is not offered; a hidden one can still be made by code", async () => {
  await using off = await Harness.open({ files: family(`optional: "KIDS"`) });
  models(off, [create(), "done"], ["well"]);
  const thread = await started(off);
  assert.equal(off.model.requests[0]!.system, "Be brief.");
  assert.equal(off.children(thread).length, 0);

  const files = {
    ...family("hidden: true"),
    "prompts/parent.ts": prompt("parent", `tools: ["make"],`),
    "tools/make.ts": `export default defineTool({ description: "makes", execute: async (state) =>
      await state.invokeTool("subagent_create", { agent: "kid", message: "hidden work", attachments: [], name: "k" }) });\n`,
  };
  await using hidden = await Harness.open({ files });
  models(hidden, [call("make", {}), "done"], ["well"]);
  const other = await started(hidden);
  assert.doesNotMatch(hidden.model.requests[0]!.system!, /subagent_create/);
  assert.equal(hidden.children(other).length, 1);
});

Deno.test("a child gets its parent's variables but for scoped ones, which the relationship hands down", async () => {
  const variables = `variables: [
    { name: "KEY", type: "text", required: true, scoped: true, description: "" },
    { name: "ROOM", type: "text", required: false, scoped: true, description: "" },
  ],`;
  await using bench = await Harness.open({ files: family(`scopedEnv: ["KEY"]`, "", variables) });
  models(bench, [create(), "started", "done"], ["well"]);
  const thread = await bench.create("parent", { env: { KEY: "k", ROOM: "r", CITY: "c" } });
  await bench.send(thread, "from outside");
  await bench.idle();
  const [kid] = bench.children(thread);
  const names = bench.store.env(kid!.id).map(({ name, value }) => `${name}=${value}`).sort();
  assert.deepEqual(names, ["CITY=c", "KEY=k"]);

  await using without = await Harness.open({ files: family("", "", variables) });
  models(without, [create(), "done"], ["well"]);
  const other = await without.create("parent", { env: { KEY: "k" } });
  await without.send(other, "from outside");
  await without.idle();
  assert.match(results(without, other)[0]!, /needs KEY, which nothing sets \(subagent_env_required\)/);
});

Deno.test("arguments are held to the schema of the child's prompt; one of them may be its first message", async () => {
  const files = {
    ...family(`initUserMessageProperty: "task"`),
    "prompts/kid.ts": `import { z } from "zod";\n` +
      prompt("kid", `requiredSchema: z.object({ task: z.string() }),`),
  };
  await using bench = await Harness.open({ files });
  models(bench, [
    create({ arguments: { task: 7 } }),
    create({ arguments: { task: "count" } }),
    "started",
    "done",
  ], ["3"]);
  const thread = await started(bench);
  assert.match(results(bench, thread)[0]!, /the arguments of kid do not fit: "\/task" must be string/);
  const [kid] = bench.children(thread);
  assert.equal(bench.messages(kid!.id)[0]!.content, "count");
  assert.equal(kid!.arguments, '{"task":"count"}');
});

Deno.test("files go along with a message, as copies", async () => {
  await using bench = await Harness.open({ files: family("") });
  models(bench, [
    create({ attachments: ["/attachments/nothing.txt"] }),
    create({ attachments: ["/attachments/a.txt"] }),
    "started",
    "done",
  ], ["read"]);
  const thread = await bench.create("parent");
  await bench.threads.putFile(thread, "/attachments/a.txt", "text/plain", new TextEncoder().encode("hello"));
  await bench.send(thread, "from outside");
  await bench.idle();
  assert.match(results(bench, thread)[0]!, /has no file \/attachments\/nothing\.txt/);
  const [kid] = bench.children(thread);
  assert.equal(bench.store.file(kid!.id, "/attachments/a.txt")?.size, 5);
  const request = bench.model.requests.find(({ messages }) => messages[0]!.content.startsWith("do it"));
  assert.match(request!.messages[0]!.content, /\[Attached file \/attachments\/a\.txt \(text\/plain\)\]/);
});

Deno.test("hooks are told of a child, with both threads", async () => {
  const files = {
    ...family(""),
    "hooks/born.ts": `export default defineHook({ hook: "after_subagent_created", id: "born",
      execute: async (parent, child) => { probe.note([parent.agentId, child.agentId]); } });\n`,
    "prompts/parent.ts": prompt("parent", `hooks: ["born"],`),
  };
  await using bench = await Harness.open({ files });
  models(bench, [create(), "started", "done"], ["well"]);
  await started(bench);
  assert.deepEqual(bench.probe.notes, [["parent", "kid"]]);
});

Deno.test("a child's status is what its tool says", async () => {
  const files = {
    ...family("", `sessionStatus: { name: "report", messageProperty: "at" }`),
    "tools/report.ts":
      `import { z } from "zod";\nexport default defineTool({ description: "says how it stands",
      args: z.object({ at: z.string() }), execute: async () => ({ status: "success" }) });\n`,
  };
  await using bench = await Harness.open({ files });
  models(bench, [create(), "started", "done"], [call("report", { at: "half way" }), "well"]);
  const thread = await started(bench);
  assert.equal(bench.threads.show(thread).children[0]!.status, "half way");
});

Deno.test("an agent among a prompt's tools that is no child takes the thread over", async () => {
  const files = {
    ...family(""),
    "prompts/parent.ts": prompt("parent", `tools: ["expert"],`),
    "prompts/wise.ts": prompt("wise").replace("Be brief.", "You are the expert."),
    "agents/expert.ts": agent(
      "expert",
      `{ prompt: "wise" }`,
      HUMAN,
      `exposeAsTool: true, toolDescription: "knows all",`,
    ),
  };
  await using bench = await Harness.open({ files });
  bench.model.answer = (request) => request.system!.includes("the expert") ? "I know" : call("expert", {});
  const thread = await started(bench);
  assert.equal(bench.thread(thread).agent, "expert");
  assert.equal(bench.messages(thread).at(-1)!.content, "I know");
  assert.deepEqual(bench.turns(thread).map(({ name, stopCode }) => [name, stopCode]), [
    ["parent", "handoff"],
    ["wise", "stop_on_response"],
  ]);
});

Deno.test("files of the tool that ends a child's session come to its parent, with the report or the result", async () => {
  const files = (relationship: string) => ({
    ...family(relationship, `sessionStop: { name: "finish", attachmentsProperty: "files" }`),
    "tools/finish.ts": `import { z } from "zod";\nexport default defineTool({ description: "ends",
      args: z.object({ files: z.array(z.string()) }),
      execute: async (state) => ({ status: "success", result: "there it is" }) });\n`,
    "tools/write.ts": `export default defineTool({ description: "writes", execute: async (state) => {
      await state.writeFile("/attachments/out.txt", "hi", "text/plain"); return { status: "success" }; } });\n`,
    "prompts/kid.ts": prompt("kid", `tools: ["write"],`),
  });
  for (const relationship of ["blocking: true", ""]) {
    await using bench = await Harness.open({ files: files(relationship) });
    const end = call("finish", { files: ["/attachments/out.txt"] });
    models(bench, [create(), "thanks", "thanks"], [call("write", {}), end]);
    const thread = await started(bench);
    const row = bench.messages(thread).find(({ attachments }) => attachments !== undefined);
    assert.equal(row!.role, relationship === "" ? "user" : "tool");
    assert.match(row!.content!, /there it is/);
    assert.equal(bench.store.file(thread, "/attachments/out.txt")?.size, 2);
  }
});

Deno.test("a child whose model fails is told of as a failure", async () => {
  await using bench = await Harness.open({ files: family("blocking: true") });
  models(bench, [create(), "too bad"], []);
  const answer = bench.model.answer;
  bench.model.answer = (request, count, piece) => {
    if (!JSON.stringify(request.messages).includes("from outside")) throw new Error("no model");
    return answer(request, count, piece);
  };
  const thread = await started(bench);
  assert.match(results(bench, thread)[0]!, /^no model \(subagent_failed\)/);
});

Deno.test("immediate children have scoped variables of their own; without what they need they are not made", async () => {
  const variables =
    `variables: [{ name: "KEY", type: "text", required: true, scoped: true, description: "" }],`;
  const relationship = `immediate: { scopedEnv: ["KEY"] }, maxInstances: 3`;
  await using bench = await Harness.open({ files: family(relationship, "", variables) });
  const env = { KEY: "1", KEY__2: "2", KEY__3: "3", KEY__4: "4", CITY: "c" };
  const thread = await bench.create("parent", { env });
  const keys = bench.children(thread).map(({ id }) =>
    bench.store.env(id).find(({ name }) => name === "KEY")?.value
  );
  assert.deepEqual(keys, ["1", "2", "3"]);
  const bare = await bench.create("parent");
  assert.equal(bench.children(bare).length, 0);
  const [log] = bench.threads.logs(bare, { limit: 9, offset: 0, order: "asc" });
  assert.match(log!.error!.message, /needs KEY/);
});

Deno.test("a turn that waits for a child goes on with an error where the child is terminated before it began", async () => {
  await using bench = await Harness.open({
    files: {
      ...family(`blocking: true`),
      "handlers/wait.ts": handler(`
        const waiting = state.invokeTool("subagent_create", { agent: "kid", message: "do it", attachments: [], name: "first" });
        await probe.gate("go");
        await (await state.getChildThread((await state.invokeTool("subagents", {})) && state.children[0].reference)).terminate();
        await state.setValue("result", await waiting);`),
      "agents/waits.ts": agent(
        "waits",
        `{ handler: "wait", subagents: [{ agent: "kid", blocking: true }] }`,
        HUMAN,
      ),
    },
  });
  bench.model.answer = () => new Promise(() => {}); // the child would work forever
  const thread = await bench.create("waits");
  await bench.send(thread, "from outside");
  await bench.probe.at("go");
  while (bench.threads.show(thread).children.length === 0) await new Promise((soon) => setTimeout(soon, 5));
  bench.probe.open("go");
  await bench.idle();
  const [turn] = bench.turns(thread);
  assert.equal(turn?.state, "done");
  assert.match(bench.store.value(thread, "result") ?? "", /"status":"error"/);
});
