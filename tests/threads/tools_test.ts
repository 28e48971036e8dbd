import assert from "node:assert/strict";
import type { Json } from "../../src/base/mod.ts";
import { ServiceFailure } from "../../src/threads/mod.ts";
import { agent, handler, prompt } from "./definitions.ts";
import type { FakeAnswer } from "./fake_model.ts";
import { Harness } from "./harness.ts";

const HUMAN = "{ human: true }";

/** A project whose prompt side has these tools. */
function project(promptMore: string, files: Readonly<Record<string, string>> = {}) {
  return {
    "prompts/it.ts": prompt("it", promptMore),
    "agents/it.ts": agent("it", `{ prompt: "it" }`, HUMAN),
    ...files,
  };
}

/** The text of a tool's file; it takes `at`. */
function tool(body: string, more = ""): string {
  return `import { z } from "zod";\nexport default defineTool({ description: "looks", args: z.object({ at: z.string() }), ${more}
    execute: async (state, args) => {\n${body}\n} });\n`;
}

const ok = (text: string) => `return { status: "success", result: ${text} };`;

function calls(...list: (readonly [string, unknown])[]): FakeAnswer {
  return { text: null, tool_calls: list.map(([name, args]) => ({ name, arguments: args as Json })) };
}

function script(bench: Harness, ...answers: FakeAnswer[]): void {
  bench.model.answer = (_, count) => answers[Math.min(count, answers.length) - 1]!;
}

async function run(bench: Harness, content = "go"): Promise<string> {
  const thread = await bench.create("it");
  await bench.send(thread, content);
  await bench.idle();
  return thread;
}

const results = (bench: Harness, thread: string) =>
  bench.messages(thread).filter(({ role }) => role === "tool");

/** Puts `ocr/v1` beside the fake model. */
function withOcr(bench: Harness, answer: (args: Json, scope: string) => Promise<Json>): void {
  const ask = bench.model.call.bind(bench.model);
  bench.model.tools = () => [{
    name: "ocr_extract",
    description: "Reads.",
    inputSchema: {
      type: "object",
      additionalProperties: false,
      required: ["path"],
      properties: {
        path: { type: "string", format: "handler-file" },
        output: { type: "string", format: "handler-output-file" },
      },
    },
  }];
  bench.model.call = (project, scope, interfaceId, name, args, options) => {
    if (interfaceId !== "ocr/v1") return ask(project, scope, interfaceId, name, args, options);
    (options as unknown as { progress(text: string): void }).progress("page 1");
    return answer(args, scope);
  };
}

Deno.test("a service's tool is called by its own name, in the thread's files; what it writes becomes a file", async () => {
  await using bench = await Harness.open({ files: project(`services: ["ocr/v1"],`) });
  const seen: Json[] = [];
  withOcr(bench, async (args, scope) => {
    seen.push(args);
    await Deno.writeTextFile(`${scope}/out.txt`, await Deno.readTextFile(`${scope}/attachments/a.txt`) + "!");
    return { pages: 1 };
  });
  script(bench, calls(["ocr_extract", { path: "/attachments/a.txt", output: "/out.txt" }]), "read");
  const thread = await bench.create("it");
  await bench.threads.putFile(thread, "/attachments/a.txt", "text/plain", new TextEncoder().encode("hello"));
  const progress: Json[] = [];
  const stop = new AbortController();
  const watching = (async () => {
    for await (const event of bench.threads.watch(thread, 0, stop.signal)) {
      if (event.event === "delta") progress.push(event.data);
    }
  })();
  await bench.send(thread, "read it");
  await bench.idle();
  stop.abort();
  await watching.catch(() => {});
  assert.deepEqual(seen, [{ path: "attachments/a.txt", output: "out.txt" }]);
  assert.equal(results(bench, thread)[0]!.content, '{"pages":1}');
  assert.equal(bench.store.file(thread, "/out.txt")?.size, 6);
  assert.ok(progress.some((data) => JSON.stringify(data).includes('"text":"page 1"')));
  assert.ok(progress.some((data) => JSON.stringify(data).includes('"text":"read"')));
});

Deno.test("an error of a service is told to the model in the interface's own word", async () => {
  await using bench = await Harness.open({ files: project(`services: ["ocr/v1"],`) });
  withOcr(bench, () => Promise.reject(new ServiceFailure("unreadable", "the file is empty")));
  script(bench, calls(["ocr_extract", { path: "/a.txt" }]), "too bad");
  const thread = await run(bench);
  assert.equal(results(bench, thread)[0]!.content, "the file is empty (unreadable)");
});

Deno.test("calls run side by side only where the prompt says so", async () => {
  const look = { "tools/look.ts": tool(`probe.note(args.at); await probe.gate(args.at); ${ok("args.at")}`) };
  const two = calls(["look", { at: "1" }], ["look", { at: "2" }]);
  await using both = await Harness.open({
    files: project(`tools: ["look"], parallelToolCalls: true,`, look),
  });
  script(both, two, "done");
  const thread = await both.create("it");
  await both.send(thread, "go");
  await Promise.all([both.probe.at("1"), both.probe.at("2")]);
  both.probe.open("2");
  both.probe.open("1");
  await both.idle();
  assert.match(both.model.requests[1]!.messages.at(-1)!.content, /look\]\n1\n\n\[Result of look\]\n2/);

  await using one = await Harness.open({ files: project(`tools: ["look"],`, look) });
  script(one, two, "done");
  const other = await one.create("it");
  await one.send(other, "go");
  await one.probe.at("1");
  assert.deepEqual(one.probe.notes, ["1"]);
  one.probe.open("1");
  one.probe.open("2");
  await one.idle();
  assert.deepEqual(one.probe.notes, ["1", "2"]);
});

Deno.test("a person's stop ends a turn while a tool runs; what waits stays waiting", async () => {
  const look = {
    "tools/look.ts": tool(`probe.note("begun"); await new Promise((_, no) =>
      state.execution.abortSignal.addEventListener("abort", () => no(new Error("I stop"))));`),
  };
  await using bench = await Harness.open({ files: project(`tools: ["look"],`, look) });
  script(bench, calls(["look", { at: "x" }]), "done");
  const thread = await bench.create("it");
  await bench.send(thread, "go");
  while (bench.probe.notes.length === 0) await new Promise((later) => setTimeout(later, 1));
  await bench.threads.stop(thread);
  await bench.idle();
  assert.equal(bench.turns(thread).at(-1)!.state, "aborted");
  assert.equal(bench.model.requests.length, 1);
  script(bench, "going on");
  await bench.send(thread, "go on");
  await bench.idle();
  assert.match(bench.model.requests[1]!.messages.at(-1)!.content, /no result: the turn ended[\s\S]*go on$/);
});

Deno.test("a model that is not there fails the turn, not the thread", async () => {
  await using bench = await Harness.open({ files: project("") });
  bench.model.answer = () => Promise.reject(new ServiceFailure("unavailable", "out of quota"));
  const thread = await run(bench);
  const { state, stopCode, error } = bench.turns(thread).at(-1)!;
  assert.deepEqual([state, stopCode, error?.type, error?.origin], [
    "failed",
    "step_error",
    "unavailable",
    "provider:llm/v1",
  ]);
  const [log] = bench.threads.logs(thread, { limit: 9, offset: 0, order: "asc" });
  assert.equal(log!.error?.message, "out of quota");
  script(bench, "back");
  await bench.send(thread, "again");
  await bench.idle();
  assert.equal(bench.turns(thread).at(-1)!.state, "done");
});

Deno.test("a model that cannot keep to the schema is asked in words", async () => {
  const look = { "tools/look.ts": tool(ok("1")) };
  await using bench = await Harness.open({ files: project(`tools: ["look"],`, look) });
  bench.model.answer = (request) => {
    if (request.schema) throw new ServiceFailure("unavailable", "the model did not keep to the schema");
    return "plain words";
  };
  const thread = await run(bench);
  assert.equal(bench.messages(thread).at(-1)!.content, "plain words");
  assert.equal(bench.threads.logs(thread, { limit: 9, offset: 0, order: "asc" }).length, 2);
});

Deno.test("code calls tools of every kind, within what its own definition uses", async () => {
  const files = {
    "agents/it.ts": agent("it", `{ handler: "it" }`, HUMAN),
    "handlers/it.ts": handler(`
      for (const [name, args] of [["look", { at: "x" }], ["helper", { message: "hm" }], ["nothing", {}], ["bound", { at: "y" }]]) {
        probe.note(await state.invokeTool(name, args));
      }`),
    "tools/look.ts": tool(ok("args.at")),
    "tools/bound.ts": tool(
      `return await state.invokeTool("look", args);`,
      `uses: ["helper"],`,
    ),
    "prompts/helper.ts": prompt("helper"),
  };
  await using bench = await Harness.open({ files });
  script(bench, "helped");
  const thread = await run(bench);
  const notes = bench.probe.notes as { status: string; result?: string; error?: string }[];
  assert.deepEqual(notes.map(({ status }) => status), ["success", "success", "error", "error"]);
  assert.deepEqual(notes.slice(0, 2).map(({ result }) => result), ["x", "helped"]);
  assert.match(notes[2]!.error!, /no tool "nothing"/);
  assert.match(notes[3]!.error!, /may use: helper/);
  assert.deepEqual(results(bench, thread), []);
});

Deno.test("what a tool gives as content becomes a file of the thread", async () => {
  const look = {
    "tools/look.ts": tool(
      `return { status: "success", result: "a picture", attachments: [{ name: "a.png", mimeType: "image/png", data: "aGk=" }] };`,
    ),
  };
  await using bench = await Harness.open({ files: project(`tools: ["look"],`, look) });
  script(bench, calls(["look", { at: "x" }]), "done");
  const thread = await run(bench);
  const [file] = results(bench, thread)[0]!.attachments as unknown as { path: string; size: number }[];
  assert.match(file!.path, /^\/attachments\/\w+-a\.png$/);
  assert.equal(bench.store.file(thread, file!.path)?.size, 2);
  assert.match(bench.model.requests[1]!.messages.at(-1)!.content, /a picture\n\[Attached file \/attachments/);
});

Deno.test("a sub-prompt sees the chat where it says so, and gives back what its caller wants", async () => {
  const files = project(
    `tools: [{ name: "helper", includeToolCalls: false, initUserMessageProperty: "task" }],`,
    {
      "prompts/helper.ts": `import { z } from "zod";\n` +
        prompt(
          "helper",
          `includeChat: true, tools: ["look"], requiredSchema: z.object({ task: z.string() }),`,
        ),
      "tools/look.ts": tool(ok("args.at")),
    },
  );
  await using bench = await Harness.open({ files });
  script(bench, calls(["helper", { task: "sum up" }]), calls(["look", { at: "x" }]), "summed up", "done");
  const thread = await run(bench, "a long story");
  assert.equal(results(bench, thread)[0]!.content, "summed up");
  assert.match(bench.model.requests[1]!.messages[0]!.content, /^a long story\n\nsum up$/);
});

Deno.test("the thread host's death while a tool runs interrupts the turn", async () => {
  const look = { "tools/look.ts": tool(`await probe.gate("look"); ${ok("1")}`) };
  await using bench = await Harness.open({ files: project(`tools: ["look"],`, look) });
  script(bench, calls(["look", { at: "x" }]), "done");
  const thread = await bench.create("it");
  await bench.send(thread, "go");
  await bench.probe.at("look");
  bench.hosts.current("desk")!.kill("test");
  await bench.idle();
  assert.equal(bench.turns(thread).at(-1)!.state, "interrupted");
  await bench.send(thread, "again");
  await bench.idle();
  assert.equal(bench.messages(thread).at(-1)!.content, "done");
});

Deno.test("a hook on new messages changes what is stored; where code injects, its failure is the code's", async () => {
  const files = {
    "agents/it.ts": agent("it", `{ handler: "it" }`, HUMAN, `hooks: ["mark"],`),
    "handlers/it.ts": handler(`
      await state.injectMessage({ role: "assistant", content: "mine" });
      try { await state.injectMessage({ role: "assistant", content: "bad" }); } catch (error) { probe.note(error.message); }`),
    "hooks/mark.ts":
      `export default defineHook({ hook: "before_create_message", id: "mark", execute: async (state, message) => {
      if (message.content === "bad") throw new Error("not that");
      return { ...message, content: message.content + "!" };
    } });\n`,
  };
  await using bench = await Harness.open({ files });
  const thread = await run(bench);
  assert.deepEqual(bench.messages(thread).map(({ content }) => content), ["go!", "mine!"]);
  assert.deepEqual(bench.probe.notes, ["not that"]);
});

Deno.test("a tool has the variables that its prompt's list gives it", async () => {
  const files = project(`env: { ROOM: "9" }, tools: [{ name: "look", env: { CITY: "Ulm" } }],`, {
    "tools/look.ts": tool(ok(`(await state.env("CITY")) + (await state.env("ROOM"))`)),
  });
  await using bench = await Harness.open({ files });
  script(bench, calls(["look", { at: "x" }]), "done");
  const thread = await run(bench);
  assert.equal(results(bench, thread)[0]!.content, "Ulm9");
});

Deno.test("a tool that another one queues is called after it, for the model to see", async () => {
  const files = project(`tools: ["first"],`, {
    "tools/first.ts": tool(`state.queueTool("second", { at: "y" }); ${ok('"one"')}`),
    "tools/second.ts": tool(ok('"two " + args.at')),
  });
  await using bench = await Harness.open({ files });
  script(bench, calls(["first", { at: "x" }]), "done");
  const thread = await run(bench);
  assert.deepEqual(results(bench, thread).map(({ content }) => content), ["one", "two y"]);
  assert.match(bench.model.requests[1]!.messages.at(-1)!.content, /\[Result of second\]\ntwo y/);
});

Deno.test("what code queues is in the log: how long it took, why it failed", async () => {
  const files = {
    "agents/it.ts": agent("it", `{ handler: "it" }`, HUMAN),
    "handlers/it.ts": handler(`
      state.queueTool("look", { at: "x" });
      state.queueTool("nothing", {});
      let refused; try { state.emit("event", 5n); } catch (error) { refused = error.message; }
      probe.note(refused);`),
    "tools/look.ts": tool(ok("args.at")),
  };
  await using bench = await Harness.open({ files });
  const thread = await run(bench);
  const logs = bench.threads.logs(thread, { limit: 9, offset: 0, order: "asc" });
  assert.deepEqual(logs.map(({ kind, name, error }) => [kind, name, error?.type ?? null]), [
    ["tool_execution", "look", null],
    ["tool_execution", "nothing", "unknown_tool"],
  ]);
  assert.match(logs[1]!.error!.message, /no tool "nothing"/);
  assert.deepEqual(bench.probe.notes, ["data is a bigint, JSON has none"]);
});

Deno.test("what code calls is in the log too, and what it gives goes to the code alone", async () => {
  const files = {
    "agents/it.ts": agent("it", `{ handler: "it" }`, HUMAN),
    "handlers/it.ts": handler(`
      probe.note((await state.invokeTool("look", { at: "x" })).result);
      probe.note((await state.invokeTool("look", { at: 7 })).status);`),
    "tools/look.ts": tool(ok('"found " + args.at')),
  };
  await using bench = await Harness.open({ files });
  const thread = await run(bench);
  assert.deepEqual(bench.probe.notes, ["found x", "error"]);
  const logs = bench.threads.logs(thread, { limit: 9, offset: 0, order: "asc" });
  const rows = logs.map(({ kind, name, error, turn }) => [kind, name, error?.origin ?? null, turn !== null]);
  assert.deepEqual(rows, [
    ["tool_execution", "look", null, true],
    ["tool_execution", "look", "tool:look", true],
  ]);
  assert.deepEqual(bench.messages(thread).map(({ role }) => role), ["user"]);
});
