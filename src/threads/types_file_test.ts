import assert from "node:assert/strict";
import type { DefinitionSet, PromptDefinition } from "../wire/mod.ts";
import { typesFile } from "./types_file.ts";

const EMPTY: DefinitionSet = {
  agents: [],
  prompts: [],
  models: [],
  tools: [],
  hooks: [],
  effects: [],
  handlers: [],
};

const ASK: PromptDefinition = {
  name: "ask",
  file: "agents/prompts/ask.ts",
  toolDescription: "Asks",
  prompt: [],
  model: "small",
  includeChat: false,
  includePastTools: false,
  parallelToolCalls: false,
  toolChoice: "auto",
  requiredSchema: { type: "object", properties: { question: { type: "string" }, "to-whom": {} } },
  variables: [],
  tools: [],
  services: [],
  env: {},
  recentImageThreshold: 10,
  hooks: [],
};

const human = { kind: "human", subagents: [] } as const;

function lines(set: Partial<DefinitionSet>): readonly string[] {
  return typesFile({ ...EMPTY, ...set }).split("\n").map((line) => line.trim());
}

Deno.test("every registry is there, empty where nothing is defined", () => {
  const text = lines({}).join("\n");
  for (
    const name of [
      "Model",
      "Prompt",
      "Agent",
      "Tool",
      "Callable",
      "HookId",
      "Handler",
      "Effect",
      "PromptSchema",
    ]
  ) {
    assert.match(text, new RegExp(`interface ${name}Registry \\{\\}`));
  }
});

Deno.test("names stand in their registries by the alphabet; a handler is no callable", () => {
  const text = typesFile({
    ...EMPTY,
    prompts: [ASK],
    handlers: [{ name: "relay_pipe", file: "" }, { name: "echo", file: "" }],
    tools: [{ name: "look_up", file: "", description: "" }],
    hooks: [{ id: "trim", hook: "filter_messages", file: "" }],
  });
  assert.match(text, /interface HandlerRegistry \{\n {6}"echo": true;\n {6}"relay_pipe": true;\n {4}\}/);
  assert.match(text, /interface CallableRegistry \{\n {6}"ask": true;\n {6}"look_up": true;\n {4}\}/);
  assert.match(text, /interface HookIdRegistry \{\n {6}"trim": true;\n {4}\}/);
});

Deno.test("the arguments of a prompt are those of the agent that it stands first in", () => {
  const agent = {
    name: "asker",
    file: "",
    sideA: {
      kind: "prompt",
      prompt: "ask",
      subagents: [],
      stopOnResponse: true,
      manualStopCondition: false,
    },
    sideB: human,
    exposeAsTool: true,
    primary: true,
    parentHooks: [],
    hooks: [],
    env: {},
  } as const;
  const text = lines({ prompts: [ASK], agents: [agent] });
  assert.ok(text.includes(`"ask": "question" | "to-whom";`));
  assert.ok(text.includes(`"asker": "question" | "to-whom";`));
});
