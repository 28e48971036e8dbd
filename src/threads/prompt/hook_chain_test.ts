import assert from "node:assert/strict";
import type { Json } from "../../base/mod.ts";
import type { AgentDefinition, DefinitionSet } from "../../wire/mod.ts";
import { Definitions } from "../definitions.ts";
import { HostFailure } from "../ports.ts";
import { chooseHooks, type ChosenHook, HookBlock, HookChain } from "./hook_chain.ts";

const hook = (id: string, hook = "filter_messages") => ({ id, hook, file: `agents/hooks/${id}.ts` });
const parentHook = (id: string, stage: "before_parent" | "after_parent") => ({
  hook: id,
  reason: "it must",
  stage,
});
const relation = (agent: string) => ({ agent, as: `the_${agent}` });

function place(prompt: string | undefined) {
  const agent = {
    name: "main",
    hooks: ["of_agent"],
    sideA: { kind: "prompt", prompt: "own", subagents: [relation("one")] },
    sideB: { kind: "human", subagents: [relation("two")] },
  } as unknown as AgentDefinition;
  const set = {
    agents: [
      agent,
      {
        name: "one",
        parentHooks: [parentHook("one_after", "after_parent"), parentHook("other", "before_parent")],
      },
      { name: "two", parentHooks: [parentHook("two_before", "before_parent")] },
    ],
    prompts: [{ name: "own", hooks: ["of_prompt", "gone"] }, { name: "bare", hooks: [] }],
    hooks: ["of_agent", "of_prompt", "one_after", "two_before"].map((id) => hook(id)).concat(
      hook("other", "tool_call_done"),
    ),
    models: [],
    tools: [],
    effects: [],
    handlers: [],
  } as unknown as DefinitionSet;
  return { definitions: Definitions.of(set), agent, prompt };
}

function chain(prompt: string, run: (hook: ChosenHook, args: readonly Json[]) => Json | undefined) {
  const failures: string[] = [];
  const runner = {
    run: (hook: ChosenHook, args: readonly Json[]) => Promise.resolve().then(() => run(hook, args)),
    failed: (hook: ChosenHook, error: string) => Promise.resolve(void failures.push(`${hook.id}: ${error}`)),
  };
  return { failures, hooks: new HookChain({ place: place(prompt), runner }) };
}

const isText = (given: Json) => typeof given === "string";
const thrown = (block: boolean) => new HostFailure("thrown", { name: "Error", message: "no", block });

Deno.test("a prompt's hooks stand for the agent's, children's wrap them, unknown ones are skipped", () => {
  const ids = (prompt: string | undefined) =>
    chooseHooks(place(prompt), "filter_messages").map(({ id }) => id);
  assert.deepEqual(ids("own"), ["two_before", "of_prompt", "one_after"]);
  assert.deepEqual(ids("bare"), ["two_before", "of_agent", "one_after"]);
  assert.deepEqual(ids(undefined), ["two_before", "of_agent", "one_after"]);
});

Deno.test("each hook is told for whom it runs", () => {
  const sources = chooseHooks(place("own"), "filter_messages").map(({ source }) => source);
  assert.deepEqual(sources, [
    { kind: "child", relationshipName: "the_two", agentName: "two" },
    { kind: "prompt", promptName: "own" },
    { kind: "child", relationshipName: "the_one", agentName: "one" },
  ]);
});

Deno.test("a value goes through the hooks; one that fails or gives nonsense leaves it", async () => {
  const { hooks, failures } = chain("own", ({ id }, args) => {
    if (id === "two_before") return `${args[0]}!`;
    if (id === "of_prompt") throw new Error("broken");
    return 7;
  });
  assert.equal(await hooks.through("filter_messages", "a", isText), "a!");
  assert.deepEqual(failures, [
    "of_prompt: broken",
    "one_after: it gave what a filter_messages hook cannot give",
  ]);
});

Deno.test("null keeps the value, unless the kind takes it", async () => {
  const { hooks, failures } = chain("own", () => null);
  assert.equal(await hooks.through("filter_messages", "a", isText), "a");
  assert.equal(await hooks.through("filter_messages", "a", (given) => given === null || isText(given)), null);
  assert.deepEqual(failures, []);
});

Deno.test("only the last look at the history may block", async () => {
  const { hooks } = chain("own", () => {
    throw thrown(true);
  });
  assert.equal(await hooks.through("filter_messages", "a", isText), "a");
  const last = place("own");
  const set = last.definitions.hooks as Map<string, unknown>;
  set.set("of_prompt", hook("of_prompt", "prefilter_llm_history"));
  const blocking = new HookChain({
    place: last,
    runner: { run: () => Promise.reject(thrown(true)), failed: () => Promise.resolve() },
  });
  await assert.rejects(blocking.through("prefilter_llm_history", "a", isText), HookBlock);
});
