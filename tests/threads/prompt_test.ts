import assert from "node:assert/strict";
import type { FakeAnswer } from "./fake_model.ts";
import { agent, handler, prompt } from "./definitions.ts";
import { Harness } from "./harness.ts";

const HUMAN = "{ human: true }";

/** A prompt side with a person on the other, and these tools. */
function prompted(promptMore: string, sideMore = "", tools: Readonly<Record<string, string>> = {}) {
  return {
    "prompts/it.ts": prompt("it", promptMore),
    "agents/it.ts": agent("it", `{ prompt: "it", ${sideMore} }`, HUMAN),
    ...tools,
  };
}

/** The text of a tool's file. */
function tool(body: string, args = "z.object({ at: z.string() })", more = ""): string {
  return `import { z } from "zod";\nexport default defineTool({\n  description: "looks",\n  args: ${args},\n  ${more}\n` +
    `  execute: async (state, args) => {\n${body}\n  },\n});\n`;
}

const call = (name: string, args: unknown, text: string | null = null): FakeAnswer =>
  ({ text, tool_calls: [{ name, arguments: args }] }) as FakeAnswer;

/** The model gives these answers, then the last one for ever. */
function script(bench: Harness, ...answers: FakeAnswer[]): void {
  bench.model.answer = (_, count) => answers[Math.min(count, answers.length) - 1]!;
}

const said = (bench: Harness, thread: string) =>
  bench.messages(thread).map((
    { role, content, tool_status },
  ) => [role, content, ...tool_status ? [tool_status] : []]);

const last = (bench: Harness, thread: string) => bench.turns(thread).at(-1)!;

Deno.test("a prompt answers, and the request is in the log with its tokens", async () => {
  await using bench = await Harness.open({ files: prompted("") });
  const thread = await bench.create("it");
  await bench.send(thread, "hello");
  await bench.idle();
  assert.deepEqual(said(bench, thread), [["user", "hello"], ["assistant", "well"]]);
  const { state, stopCode } = last(bench, thread);
  assert.deepEqual({ state, stopCode }, { state: "done", stopCode: "stop_on_response" });
  const [log] = bench.threads.logs(thread, { limit: 9, offset: 0, order: "asc" });
  assert.equal(log!.kind, "model_request");
  const { input_tokens, output_tokens, finish_reason, prompt_name } = JSON.parse(log!.data);
  assert.deepEqual([input_tokens, output_tokens, finish_reason, prompt_name], [1, 1, "end", "it"]);
  assert.deepEqual(bench.model.requests[0]!.messages, [{ role: "user", content: "hello" }]);
  assert.equal(bench.model.requests[0]!.system, "Be brief.");
  assert.equal(bench.model.requests[0]!.schema, undefined);
  assert.equal(bench.thread(thread).status, "awaiting_human");
});

Deno.test("a tool is called, its result goes to the model, the answer ends the turn", async () => {
  const files = prompted(`tools: ["look"],`, "", {
    "tools/look.ts": tool(`return { status: "success", result: "found at " + args.at };`),
  });
  await using bench = await Harness.open({ files });
  script(bench, call("look", { at: "x" }, "a moment"), "it is there");
  const thread = await bench.create("it");
  await bench.send(thread, "where?");
  await bench.idle();
  assert.deepEqual(said(bench, thread), [
    ["user", "where?"],
    ["assistant", "a moment"],
    ["tool", "found at x", "success"],
    ["assistant", "it is there"],
  ]);
  assert.match(bench.model.requests[1]!.messages.at(-1)!.content, /\[Result of look\]\nfound at x/);
  assert.ok(bench.model.requests[0]!.schema?.includes('"look"'));
  const [log] = bench.threads.logs(thread, { limit: 9, offset: 0, order: "asc" });
  assert.deepEqual(JSON.parse(log!.data).tools_called, ["look"]);
});

Deno.test("a tool that throws, wrong arguments and a tool that is not there are told to the model", async () => {
  const files = prompted(`tools: ["look"],`, "", { "tools/look.ts": tool(`throw new Error("no light");`) });
  await using bench = await Harness.open({ files });
  script(bench, call("look", { at: "x" }), call("look", { at: 7 }), call("nothing", {}), "I give up");
  const thread = await bench.create("it");
  await bench.send(thread, "where?");
  await bench.idle();
  const results = bench.messages(thread).filter(({ role }) => role === "tool");
  assert.deepEqual(results.map(({ tool_status }) => tool_status), ["error", "error", "error"]);
  assert.match(results[0]!.content!, /no light/);
  assert.match(results[1]!.content!, /"\/at" must be string/);
  assert.match(results[2]!.content!, /there is no tool "nothing"/);
  assert.equal(last(bench, thread).state, "done");
});

Deno.test("the same failure eight times in a row ends the turn", async () => {
  const files = prompted(`tools: ["look"],`, "", { "tools/look.ts": tool(`throw new Error("no light");`) });
  await using bench = await Harness.open({ files });
  script(bench, call("look", { at: "x" }));
  const thread = await bench.create("it");
  await bench.send(thread, "where?");
  await bench.idle();
  const { state, stopCode, error } = last(bench, thread);
  assert.deepEqual([state, stopCode, error?.origin], ["failed", "repeated_tool_error", "tool:look"]);
  assert.equal(bench.model.requests.length, 8);
});

Deno.test("maxSteps and a stop tool end a turn", async () => {
  const look = { "tools/look.ts": tool(`return { status: "success", result: "ok" };`) };
  await using capped = await Harness.open({ files: prompted(`tools: ["look"],`, "maxSteps: 3", look) });
  script(capped, call("look", { at: "x" }));
  const thread = await capped.create("it");
  await capped.send(thread, "go");
  await capped.idle();
  assert.equal(last(capped, thread).stopCode, "max_side_steps");
  assert.equal(capped.model.requests.length, 3);

  const side = `stopOnResponse: false, stopTool: "look", stopToolResponseProperty: "at"`;
  await using stopped = await Harness.open({ files: prompted(`tools: ["look"],`, side, look) });
  script(stopped, "thinking aloud", call("look", { at: "the answer" }));
  const other = await stopped.create("it");
  await stopped.send(other, "go");
  await stopped.idle();
  assert.equal(last(stopped, other).stopCode, "stop_tool");
  assert.deepEqual(said(stopped, other).at(-1), ["assistant", "the answer"]);
});

Deno.test("what is said meanwhile is taken up before the next step, in the same turn", async () => {
  const files = prompted(`tools: ["look"],`, "", {
    "tools/look.ts": tool(`await probe.gate("look"); return { status: "success", result: "ok" };`),
  });
  await using bench = await Harness.open({ files });
  script(bench, call("look", { at: "x" }), "done");
  const thread = await bench.create("it");
  await bench.send(thread, "go");
  await bench.probe.at("look");
  await bench.send(thread, "and hurry");
  bench.probe.open("look");
  await bench.idle();
  assert.match(bench.model.requests[1]!.messages.at(-1)!.content, /ok\n\nand hurry/);
  assert.equal(bench.turns(thread).length, 1);
});

Deno.test("a session ends by its tool, with the message and the state that its arguments say", async () => {
  const side = `sessionStop: { name: "finish", messageProperty: "at" }, sessionFail: { name: "fail" }`;
  const files = {
    ...prompted("", side, {
      "tools/finish.ts": tool(`return { status: "success", result: "own" };`),
      "tools/fail.ts": tool(`return { status: "success", result: "it cannot be done" };`),
    }),
  };
  await using bench = await Harness.open({ files });
  script(bench, call("finish", { at: "all done" }), call("fail", { at: "" }));
  const thread = await bench.create("it");
  for (const content of ["go", "again"]) {
    await bench.send(thread, content);
    await bench.idle();
  }
  const sessions = bench.threads.sessions(thread).map((
    { reason, success, result },
  ) => [reason, success, result]);
  assert.deepEqual(sessions, [["session_stop", true, "all done"], [
    "session_fail",
    false,
    "it cannot be done",
  ]]);
  assert.equal(last(bench, thread).stopCode, "session_fail");
});

Deno.test("a sub-prompt answers as a tool, on rows of its own", async () => {
  const files = prompted(`tools: ["helper"],`, "", {
    "prompts/helper.ts": prompt("helper", `tools: ["look"],`),
    "tools/look.ts": tool(`return { status: "success", result: "seen " + args.at };`),
  });
  await using bench = await Harness.open({ files });
  script(
    bench,
    call("helper", { message: "look for x" }),
    call("look", { at: "x" }),
    "x is seen",
    "well, x is seen",
  );
  const thread = await bench.create("it");
  await bench.send(thread, "go");
  await bench.idle();
  const result = bench.messages(thread).find(({ role }) => role === "tool");
  assert.equal(result!.content, 'x is seen\n\nTools called:\n- look({"at":"x"}): seen x');
  assert.deepEqual(said(bench, thread).at(-1), ["assistant", "well, x is seen"]);
  assert.deepEqual(bench.model.requests[1]!.messages, [{ role: "user", content: "look for x" }]);
  const deep = bench.store.messages(thread, {
    limit: 99,
    offset: 0,
    order: "asc",
    includeSilent: true,
    maxDepth: 9,
  });
  assert.deepEqual(deep.filter(({ depth }) => depth === 1).map(({ role }) => role), [
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
});

Deno.test("hooks change what the model is told and what a tool gave; their failures are logged", async () => {
  const hook = (name: string, id: string, body: string) =>
    `export default defineHook({ hook: "${name}", id: "${id}", execute: ${body} });\n`;
  const files = prompted(`tools: ["look"], hooks: ["shout", "shorten", "mend", "broken"],`, "", {
    "tools/look.ts": tool(`return { status: "success", result: "long" };`),
    "hooks/shout.ts": hook("after_system_message", "shout", `async (state, text) => text.toUpperCase()`),
    "hooks/shorten.ts": hook("filter_messages", "shorten", `async (state, messages) => messages.slice(-2)`),
    "hooks/mend.ts": hook(
      "after_tool_call_success",
      "mend",
      `async (state, call, result) => ({ ...result, result: result.result + " " + call.name })`,
    ),
    "hooks/broken.ts": hook("tool_call_done", "broken", `async () => { throw new Error("oh"); }`),
  });
  await using bench = await Harness.open({ files });
  script(bench, call("look", { at: "x" }), "done");
  const thread = await bench.create("it");
  await bench.send(thread, "go");
  await bench.idle();
  assert.match(bench.model.requests[0]!.system!, /^BE BRIEF\./);
  assert.match(bench.model.requests[1]!.messages.at(-1)!.content, /long look/);
  const failures = bench.threads.logs(thread, { limit: 9, offset: 0, order: "asc" })
    .filter(({ kind }) => kind === "hook_failure");
  assert.deepEqual(failures.map(({ name, error }) => [name, error?.origin]), [["broken", "hook:broken"]]);
  assert.equal(last(bench, thread).state, "done");
});

Deno.test("a hook may keep the model from being asked", async () => {
  const files = prompted(`hooks: ["guard"],`, "", {
    "hooks/guard.ts": `export default defineHook({ hook: "prefilter_llm_history", id: "guard",
      execute: async () => { throw Object.assign(new Error("not today"), { block: true }); } });\n`,
  });
  await using bench = await Harness.open({ files });
  const thread = await bench.create("it");
  await bench.send(thread, "go");
  await bench.idle();
  assert.equal(bench.model.requests.length, 0);
  const { state, stopCode, error } = last(bench, thread);
  assert.deepEqual([state, stopCode, error?.origin], ["failed", "hook_blocked", "hook:guard"]);
});

Deno.test("two prompts talk to each other until the cap; each sees itself as the assistant", async () => {
  const files = {
    "prompts/it.ts": prompt("it"),
    "agents/it.ts": agent("it", `{ prompt: "it" }`, `{ prompt: "it" }`, "maxSessionTurns: 2"),
  };
  await using bench = await Harness.open({ files });
  bench.model.answer = (_, count) => `answer ${count}`;
  const thread = await bench.create("it");
  await bench.send(thread, "go");
  await bench.idle();
  assert.deepEqual(said(bench, thread).map(([role]) => role), [
    "user",
    "assistant",
    "user",
    "assistant",
    "user",
  ]);
  assert.deepEqual(bench.model.requests[1]!.messages.map(({ role }) => role), ["user", "assistant", "user"]);
  assert.equal(bench.threads.sessions(thread).at(-1)!.reason, "max_session_turns");
});

Deno.test("the other side is given what was said, not what was called", async () => {
  const files = {
    "prompts/it.ts": prompt("it", `tools: ["look"],`),
    "tools/look.ts": tool(`return { status: "success", result: "ok" };`),
    "handlers/ear.ts": handler(`probe.note([message.role, message.content]);`),
    "agents/it.ts": agent("it", `{ prompt: "it" }`, `{ handler: "ear" }`),
  };
  await using bench = await Harness.open({ files });
  script(bench, call("look", { at: "x" }), call("look", { at: "y" }, "a moment"), "done");
  const thread = await bench.create("it");
  await bench.send(thread, "go", { side: "b" });
  await bench.idle();
  assert.deepEqual(bench.probe.notes, [["assistant", "a moment"], ["assistant", "done"]]);
});
