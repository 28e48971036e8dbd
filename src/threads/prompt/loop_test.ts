import assert from "node:assert/strict";
import type { Json } from "../../base/mod.ts";
import type {
  AgentDefinition,
  DefinitionSet,
  PromptDefinition,
  SideDefinition,
  WireMessage,
} from "../../wire/mod.ts";
import { Definitions } from "../definitions.ts";
import type { ModelAnswer, ModelRequest } from "../ports.ts";
import type { OfferedTool } from "../tools/offered.ts";
import { failure, success, type ToolResult } from "../tools/tool_result.ts";
import { type ChosenHook, HookChain } from "./hook_chain.ts";
import type { ToolCall } from "./llm_message.ts";
import { runLoop } from "./loop.ts";
import type { LoopPorts, QueuedCall, RequestLog } from "./ports.ts";
import { budgetOf, type LoopRules, ONE_SHOT, rulesOf } from "./rules.ts";

type Said = Partial<ModelAnswer> | string | readonly [string, Json][];

/** A loop over plain objects. */
class Bench {
  readonly rows: WireMessage[] = [{
    id: "u",
    role: "user",
    content: "go",
    created_at: 1,
    status: "completed",
  }];
  readonly logs: RequestLog[] = [];
  readonly requests: ModelRequest[] = [];
  readonly ended: unknown[] = [];
  readonly statuses: string[] = [];
  readonly stop = new AbortController();
  answers: Said[] = [];
  result: (call: ToolCall) => ToolResult = (call) => success(`${call.name} done`);
  hook: (hook: ChosenHook, args: readonly Json[]) => Json | undefined = () => undefined;
  hooks: readonly string[] = [];
  prompt: Partial<PromptDefinition> = {};
  readonly queue: QueuedCall[] = [];

  run(rules: Partial<LoopRules> = {}, most = 250) {
    return runLoop(this.ports(), { ...ONE_SHOT, ...rules }, { taken: 0, most });
  }

  ports(): LoopPorts {
    return {
      signal: this.stop.signal,
      prompt: {
        name: "it",
        model: "m",
        toolChoice: "auto",
        parallelToolCalls: false,
        ...this.prompt,
      } as PromptDefinition,
      model: undefined,
      hooks: this.#chain(),
      view: { side: "a", tools: true },
      role: "assistant",
      side: "a",
      monotonic: () => 0,
      begin: () => Promise.resolve(),
      rows: () => this.rows,
      before: () => [],
      promptText: () => "Be brief.",
      tools: () =>
        ["look", "finish", "fail"].map((name) => ({ name, description: "", parameters: {} }) as OfferedTool)
          .map((tool) => ({ ...tool, target: { kind: "lifecycle" } })),
      append: (row) => {
        const { toolCalls, toolCallId, toolStatus, ...rest } = row;
        const stored: WireMessage = {
          id: `m${this.rows.length}`,
          created_at: 1,
          status: "completed",
          ...rest,
          ...toolCalls ? { tool_calls: JSON.stringify(toolCalls) } : {},
          ...toolCallId ? { tool_call_id: toolCallId } : {},
          ...toolStatus ? { tool_status: toolStatus } : {},
        };
        this.rows.push(stored);
        return Promise.resolve(stored);
      },
      log: (entry) => Promise.resolve(void this.logs.push(entry)),
      ask: (request) => {
        this.requests.push(request);
        return Promise.resolve(this.#answer());
      },
      call: (_tool, call) => Promise.resolve({ result: this.result(call) }),
      queued: () => this.queue.splice(0),
      files: (paths) =>
        paths.includes("/a.txt") ? { attachments: [{ path: "/a.txt" }] } : { missing: paths[0]! },
      endSession: (end) => Promise.resolve(void this.ended.push(end)),
      setStatus: (text) => Promise.resolve(void this.statuses.push(text)),
      stopped: () => null,
      delta: () => {},
    };
  }

  #answer(): ModelAnswer {
    const said = this.answers.length > 1 ? this.answers.shift()! : this.answers[0]!;
    const base = { text: "", json: undefined, model: "m", stop: "end", inputTokens: 2, outputTokens: 3 };
    if (typeof said === "string") return { ...base, text: said };
    if (!Array.isArray(said)) return { ...base, ...said as Partial<ModelAnswer> };
    return {
      ...base,
      json: { text: null, tool_calls: said.map(([name, args]) => ({ name, arguments: args })) },
    };
  }

  #chain(): HookChain {
    const set = { agents: [], prompts: [], models: [], tools: [], effects: [], handlers: [] };
    const hooks = this.hooks.map((kind) => ({ id: kind, hook: kind, file: "" }));
    return new HookChain({
      place: {
        definitions: Definitions.of({ ...set, hooks } as unknown as DefinitionSet),
        agent: {
          name: "it",
          hooks: this.hooks,
          sideA: { subagents: [] },
          sideB: { subagents: [] },
        } as unknown as AgentDefinition,
        prompt: undefined,
      },
      runner: {
        run: (hook, args) => Promise.resolve(this.hook(hook, args)),
        failed: () => Promise.resolve(),
      },
    });
  }

  results(): (string | null)[] {
    return this.rows.filter(({ role }) => role === "tool").map(({ content }) => content);
  }
}

function bench(...answers: Said[]): Bench {
  const it = new Bench();
  it.answers = answers;
  return it;
}

Deno.test("nothing goes on for ever: a turn has a ceiling of steps, its sub-prompts' among them", async () => {
  const it = bench([["look", {}]]);
  assert.equal((await it.run({}, 5)).stopCode, "max_total_steps");
  assert.equal(it.requests.length, 5);
  assert.equal(budgetOf(ONE_SHOT).most, 250);
  assert.equal(budgetOf({ ...ONE_SHOT, maxSteps: 400 }).most, 400);
});

Deno.test("a side that names no end takes each answer for a turn; a manual one goes on", () => {
  const side = { kind: "prompt", stopOnResponse: false, manualStopCondition: false } as SideDefinition & {
    kind: "prompt";
  };
  assert.equal(rulesOf(side).stopOnResponse, true);
  assert.equal(rulesOf({ ...side, stopTool: "look" }).stopOnResponse, false);
  assert.equal(rulesOf({ ...side, manualStopCondition: true }).stopOnResponse, false);
});

Deno.test("failing a session counts before stopping it, and only where the call succeeded", async () => {
  const bindings = { sessionStop: { name: "finish" }, sessionFail: { name: "fail" } };
  const both = bench([["finish", {}], ["fail", {}]]);
  assert.equal((await both.run(bindings)).stopCode, "session_fail");
  assert.deepEqual(both.ended, [{ reason: "session_fail", success: false, result: "fail done" }]);

  const one = bench([["finish", {}], ["fail", {}]], "over");
  one.result = (call) => call.name === "fail" ? failure("no", "x") : success("yes");
  assert.equal((await one.run(bindings)).stopCode, "session_stop");
});

Deno.test("a binding's arguments are the result's text and files; a file that is not there is an error", async () => {
  const sessionStop = { name: "finish", messageProperty: "say", attachmentsProperty: "files" };
  const it = bench([["finish", { say: "done", files: ["/b.txt"] }]], [["finish", {
    say: "done",
    files: "/a.txt",
  }]]);
  assert.equal((await it.run({ sessionStop })).stopCode, "session_stop");
  assert.match(it.results()[0]!, /no file \/b\.txt \(unknown_attachment\)/);
  assert.equal(it.results()[1], "done");
  assert.deepEqual(it.rows.at(-1)!.attachments, [{ path: "/a.txt" }]);
});

Deno.test("a call that a hook drops leaves the model's sight", async () => {
  const it = bench([["look", {}], ["finish", {}]], "done");
  it.hooks = ["after_tool_call_success"];
  it.hook = (_, [call]) => (call as { name: string }).name === "look" ? null : undefined;
  await it.run();
  assert.deepEqual(it.results(), ["", "finish done"]);
  const seen = JSON.stringify(it.requests[1]!.messages);
  assert.ok(seen.includes("finish done") && !seen.includes('"name\\":\\"look'));
});

Deno.test("an answer that was cut off or refused ends the turn as the provider's failure", async () => {
  const cut = await bench({ text: '{"text":"hal', stop: "length" }).run();
  assert.deepEqual([cut.stopCode, cut.error?.type, cut.error?.origin], [
    "step_error",
    "limit",
    "provider:llm/v1",
  ]);
  const refused = await bench({ text: "I may not", stop: "refused" }).run();
  assert.deepEqual([refused.error?.type, refused.error?.message], ["refused", "I may not"]);
});

Deno.test("with toolChoice none a model is told of no tools; with required the schema asks for a call", async () => {
  const none = bench('{"text":"x","tool_calls":[]}');
  none.prompt = { toolChoice: "none" };
  assert.equal((await none.run()).text, '{"text":"x","tool_calls":[]}');
  assert.equal(none.requests[0]!.schema, undefined);
  const required = bench("done");
  required.prompt = { toolChoice: "required" };
  await required.run();
  assert.match(required.requests[0]!.schema!, /"minItems":1/);
});

Deno.test("a status tool's text is the child's state; identical failures are counted only in a row", async () => {
  const it = bench([["look", {}]], [["look", {}]], [["finish", {}]], "over");
  it.result = (call) => call.name === "look" ? failure("no", "x") : success("half way");
  const end = await it.run({ sessionStatus: { name: "finish" } });
  assert.deepEqual([end.stopCode, it.statuses], ["stop_on_response", ["half way"]]);
});

Deno.test("an aborted turn ends at once", async () => {
  const it = bench([["look", {}]]);
  it.result = (call) => {
    it.stop.abort(new Error("stopped"));
    return success(call.name);
  };
  await assert.rejects(it.run(), /stopped/);
  assert.equal(it.requests.length, 1);
});

Deno.test("what a request cost is in its log", async () => {
  const it = bench([["look", {}]], "done");
  await it.run();
  const { input_tokens, output_tokens, total_tokens, cost, finish_reason, tools_called } = it.logs[0]!
    .data as Record<string, Json>;
  assert.deepEqual([input_tokens, output_tokens, total_tokens, cost], [2, 3, 5, null]);
  assert.deepEqual([finish_reason, tools_called], ["tool_calls", ["look"]]);
});

Deno.test("what a tool queues is run after the step's calls, and the model sees it", async () => {
  const it = bench([["look", {}]], "done");
  it.result = (call) => {
    if (call.name === "look") it.queue.push({ name: "later", arguments: { a: 1 }, tool: undefined });
    return success(`${call.name} done`);
  };
  await it.run();
  assert.deepEqual(it.results(), ["look done", "later done"]);
  assert.match(it.requests[1]!.messages.at(-1)!.content, /\[Result of later\]\nlater done/);
});
