import assert from "node:assert/strict";
import type { AgentDefinition, DefinitionSet, SubagentEntry } from "../../wire/mod.ts";
import { Definitions } from "../definitions.ts";
import { offeredTools } from "../tools/offered.ts";
import { scopedVariables } from "./child_env.ts";
import { childrenText, lifecycleTools } from "./lifecycle_tools.ts";
import { type ParentView, paths, planCreate } from "./plan.ts";

const relationship = (agent: string, more: object = {}) => ({
  agent,
  as: agent,
  immediate: false,
  blocking: false,
  parentCommunication: "implicit",
  scopedEnv: [],
  hidden: false,
  ...more,
});
const prompt = (name: string, more: object = {}) => ({
  name,
  toolDescription: name,
  prompt: [],
  tools: [],
  services: [],
  variables: [],
  ...more,
});
const variable = (name: string, more: object = {}) => ({
  name,
  type: "text",
  required: true,
  description: "",
  scoped: true,
  ...more,
});
const side = (name: string, subagents: object[] = []) => ({ kind: "prompt", prompt: name, subagents });

function view(subagents: object[], more: Partial<ParentView> = {}, other: object[] = []): ParentView {
  const agent = {
    name: "parent",
    sideA: side("main", subagents),
    sideB: { kind: "human", subagents: other },
  };
  const set = {
    agents: [
      agent,
      {
        name: "kid",
        exposeAsTool: true,
        toolDescription: "a kid",
        sideA: side("kid"),
        sideB: { kind: "human", subagents: [] },
      },
      { name: "shy", exposeAsTool: false, sideA: side("kid"), sideB: { kind: "human", subagents: [] } },
    ],
    prompts: [
      prompt("main"),
      prompt("kid", {
        variables: [variable("KEY"), variable("FREE", { scoped: false })],
        prompt: [{ type: "include", prompt: "inner" }],
        tools: [{ name: "deep" }, { name: "kid" }],
      }),
      prompt("inner", { variables: [variable("INNER", { required: false })] }),
      prompt("deep", { variables: [variable("INNER")] }),
    ],
    models: [],
    tools: [],
    hooks: [],
    effects: [],
    handlers: [],
  } as unknown as DefinitionSet;
  return {
    definitions: Definitions.of(set),
    agent: agent as unknown as AgentDefinition,
    side: "a",
    children: [],
    threadEnv: [],
    env: (name) => ({ KEY: "k", INNER: "i" })[name],
    ...more,
  };
}

const child = (reference: string, more: Partial<SubagentEntry> = {}): SubagentEntry => ({
  reference,
  relationship: "kid",
  owner: "a",
  name: "kid",
  description: "a kid",
  blocking: false,
  parentCommunication: "implicit",
  status: "idle",
  createdAt: 1,
  ...more,
});

const ask = (agent: string) => ({ agent, message: "do it", attachments: [], name: "first", arguments: {} });
const scoped = { scopedEnv: ["KEY", "INNER"] };

function refusal(parent: ParentView, agent: string): string | undefined {
  const plan = planCreate(parent, ask(agent));
  return plan.kind === "refused" ? plan.result.error_code : plan.kind;
}

Deno.test("the scoped variables of an agent are those of every prompt that it can reach, required where one says so", () => {
  const found = scopedVariables(view([]).definitions, "kid").map(({ name, required }) => [name, required]);
  assert.deepEqual(found, [["KEY", true], ["INNER", true]]);
});

Deno.test("who may be made", () => {
  assert.equal(refusal(view([relationship("kid", scoped)]), "kid"), "create");
  assert.equal(refusal(view([relationship("kid")]), "kid"), "subagent_env_required");
  assert.equal(refusal(view([relationship("kid", scoped)]), "kit"), "unknown_subagent");
  assert.equal(refusal(view([relationship("shy", scoped)]), "shy"), "not_exposed");
  assert.equal(
    refusal(view([relationship("kid", { ...scoped, optional: "OFF" })]), "kid"),
    "unknown_subagent",
  );
  const capped = [relationship("kid", { ...scoped, maxInstances: 1 })];
  assert.equal(refusal(view(capped, { children: [child("1")] }), "kid"), "max_instances");
  assert.equal(refusal(view(capped, { children: [child("1", { status: "terminated" })] }), "kid"), "create");
  const blocking = [relationship("kid", { ...scoped, maxInstances: 1, blocking: true })];
  assert.equal(refusal(view(blocking, { children: [child("1")] }), "kid"), "continue");
});

Deno.test("the side that acts has the first word about a name, and `as` before an agent's name", () => {
  const parent = view(
    [relationship("kid", scoped), relationship("kid", { ...scoped, as: "second" })],
    {},
    [relationship("kid", { ...scoped, as: "theirs" })],
  );
  const chosen = (name: string) => {
    const plan = planCreate(parent, ask(name));
    return plan.kind === "create" ? [plan.child.relationship.as, plan.child.owner] : plan.kind;
  };
  assert.deepEqual(chosen("kid"), ["kid", "a"]);
  assert.deepEqual(chosen("second"), ["second", "a"]);
  assert.deepEqual(chosen("theirs"), ["theirs", "b"]);
});

Deno.test("lifecycle tools follow from what a side has; hidden children are nobody's to see", () => {
  const names = (parent: ParentView) => lifecycleTools(parent).map(({ name }) => name);
  assert.deepEqual(names(view([])), []);
  assert.deepEqual(names(view([relationship("kid")])), ["subagent_create", "subagents"]);
  const all = ["subagent_create", "subagent_message", "subagents"];
  assert.deepEqual(names(view([relationship("kid")], { children: [child("1")] })), all);
  assert.deepEqual(names(view([relationship("kid", { hidden: true })], { children: [child("1")] })), []);
  assert.deepEqual(names(view([relationship("kid")], { children: [child("1", { owner: "b" })] })), [
    "subagent_create",
    "subagents",
  ]);
  assert.match(
    childrenText([child("1", { threadName: "Bo" })]),
    /"referenceId":"1","agent":"kid","name":"Bo"/,
  );
});

Deno.test("a prompt is offered what it lists, what ends its turn, and its services' tools, each name once", () => {
  const parent = view([relationship("kid")]);
  const tools = offeredTools({
    parent,
    prompt: {
      ...prompt("main"),
      tools: [{ name: "kid" }, { name: "deep" }, { name: "deep" }, { name: "gone" }],
      services: ["ocr/v1"],
    } as never,
    isSide: true,
    serviceTools: (
      id,
    ) => [{ name: `${id} read`, description: "Reads.", inputSchema: {} }, {
      name: "deep",
      description: "",
      inputSchema: {},
    }],
  });
  assert.deepEqual(tools.map(({ name, target }) => [name, target.kind]), [
    ["kid", "prompt"],
    ["deep", "prompt"],
    ["subagent_create", "lifecycle"],
    ["subagents", "lifecycle"],
    ["ocr/v1 read", "service"],
  ]);
  assert.deepEqual(tools[1]!.parameters, {
    type: "object",
    additionalProperties: false,
    required: ["message"],
    properties: { message: { type: "string", minLength: 1 } },
  });
});

Deno.test("paths come as one text, a list, or references", () => {
  assert.deepEqual(paths("/a"), ["/a"]);
  assert.deepEqual(paths(["/a", { path: "/b" }, 7, ""]), ["/a", "/b"]);
  assert.equal(paths(null), undefined);
});
