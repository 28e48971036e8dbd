import type { Json } from "../../../base/mod.ts";
import type {
  AgentDefinition,
  DefinitionSet,
  EffectDefinition,
  HandlerDefinition,
  HookDefinition,
  ModelDefinition,
  PromptDefinition,
  PromptPart,
  PromptTool,
  RelationshipDefinition,
  SideDefinition,
  ToolDefinition,
} from "../../../wire/mod.ts";
import type {
  AgentDefinition as Agent,
  PromptSide,
  SideConfig,
  SubagentRelationship,
} from "../../spec/agent.ts";
import type { EffectDefinition as Effect } from "../../spec/effect.ts";
import type { HandlerDefinition as Handler } from "../../spec/handler.ts";
import type { HookDefinition as Hook } from "../../spec/hook.ts";
import type { ModelDefinition as Model } from "../../spec/model.ts";
import type { PromptDefinition as Prompt } from "../../spec/prompt.ts";
import type { ToolDefinition as Tool } from "../../spec/tool.ts";
import type { Found } from "./found.ts";
import { isObjectSchema, jsonSchema } from "./schema.ts";

/** Definitions as data, every default filled in; each must have passed its check. */
export function normalise(all: readonly Found[]): DefinitionSet {
  const each = <Written, T>(kind: Found["kind"], make: (value: Written, found: Found) => T) =>
    all.filter((found) => found.kind === kind).map((found) => make(found.value as Written, found));
  return {
    agents: each("agent", agent),
    prompts: each("prompt", prompt),
    models: each("model", model),
    tools: each("tool", tool),
    hooks: each("hook", hook),
    effects: each("effect", effect),
    handlers: each("handler", handler),
  };
}

function agent(value: Agent, { file, name }: Found): AgentDefinition {
  return {
    name,
    file,
    sideA: side(value.sideA),
    sideB: side(value.sideB),
    ...optional(value, "maxSessionTurns", "toolDescription", "description"),
    exposeAsTool: value.exposeAsTool ?? false,
    primary: value.primary ?? true,
    parentHooks: (value.parentHooks ?? []).map(({ hook, reason, stage }) => ({
      hook,
      reason,
      stage: stage ?? "after_parent",
    })),
    hooks: [...value.hooks ?? []],
    env: { ...value.env },
  };
}

function side(value: SideConfig): SideDefinition {
  const shared = { ...optional(value, "label"), subagents: (value.subagents ?? []).map(relationship) };
  if (value.handler !== undefined) return { ...shared, kind: "handler", handler: value.handler };
  if (value.prompt === undefined) return { ...shared, kind: "human" };
  return {
    ...shared,
    kind: "prompt",
    prompt: value.prompt,
    stopOnResponse: value.stopOnResponse ?? true,
    manualStopCondition: value.manualStopCondition ?? false,
    ...optional(value, "stopTool", "stopToolResponseProperty", "maxSteps"),
    ...bindings(value),
  };
}

function bindings(value: PromptSide): Pick<PromptSide, typeof BOUND[number]> {
  const bound: Pick<PromptSide, typeof BOUND[number]> = {};
  for (const key of BOUND) {
    const binding = value[key];
    if (binding) {
      bound[key] = { name: binding.name, ...optional(binding, "messageProperty", "attachmentsProperty") };
    }
  }
  return bound;
}

const BOUND = ["sessionStop", "sessionFail", "sessionStatus"] as const;

function immediate(value: SubagentRelationship["immediate"]): RelationshipDefinition["immediate"] {
  if (typeof value !== "object") return value === true ? {} : false;
  return optional(value, "nameEnv", "descriptionEnv", "scopedEnv");
}

function relationship(value: SubagentRelationship): RelationshipDefinition {
  return {
    agent: value.agent,
    as: value.as ?? value.agent,
    immediate: immediate(value.immediate),
    blocking: value.blocking ?? false,
    parentCommunication: value.parentCommunication ?? "implicit",
    scopedEnv: [...value.scopedEnv ?? []],
    hidden: value.hidden ?? false,
    ...optional(value, "description", "maxInstances", "optional"),
    ...optional(value, "initUserMessageProperty", "initAttachmentsProperty", "initAgentNameProperty"),
  };
}

function prompt(value: Prompt, { file, name }: Found): PromptDefinition {
  return {
    name,
    file,
    toolDescription: value.toolDescription,
    prompt: typeof value.prompt === "string"
      ? [{ type: "text", content: value.prompt }]
      : parts(value.prompt),
    model: value.model,
    includeChat: value.includeChat ?? false,
    includePastTools: value.includePastTools ?? false,
    parallelToolCalls: value.parallelToolCalls ?? false,
    toolChoice: value.toolChoice ?? "auto",
    ...schemaAs("requiredSchema", value.requiredSchema),
    variables: (value.variables ?? []).map(({ name, type, required, description, scoped }) => ({
      name,
      type,
      required: required ?? false,
      description: description ?? "",
      scoped: scoped ?? false,
    })),
    tools: (value.tools ?? []).map(promptTool),
    services: [...value.services ?? []],
    env: { ...value.env },
    ...(value.reasoning &&
      { reasoning: optional(value.reasoning, "effort", "maxTokens", "exclude", "include") as Json }),
    recentImageThreshold: value.recentImageThreshold ?? 10,
    hooks: [...value.hooks ?? []],
  };
}

function parts(value: readonly PromptPart[]): readonly PromptPart[] {
  return value.map((part) => {
    if (part.type === "text") return { type: part.type, content: part.content };
    if (part.type === "include") return { type: part.type, prompt: part.prompt };
    return { type: part.type, property: part.property };
  });
}

function promptTool(entry: NonNullable<Prompt["tools"]>[number]): PromptTool {
  const value: Partial<PromptTool> & { readonly name: string } = typeof entry === "string"
    ? { name: entry }
    : entry as PromptTool;
  return {
    name: value.name,
    includeTextResponse: value.includeTextResponse ?? true,
    includeToolCalls: value.includeToolCalls ?? true,
    includeErrors: value.includeErrors ?? true,
    ...optional(value, "initUserMessageProperty", "initAttachmentsProperty"),
    ...(value.env && { env: { ...value.env } }),
    ...(value.options !== undefined && { options: plain(value.options) }),
  };
}

function model(value: Model, { file, name }: Found): ModelDefinition {
  const provider = typeof value.provider === "string" ? value.provider : value.provider?.name;
  return {
    name,
    file,
    model: value.model,
    ...(typeof provider === "string" && { provider }),
    ...optional(value, "maxTokens", "temperature", "inputPrice", "outputPrice"),
  };
}

function tool(value: Tool, { file, name }: Found): ToolDefinition {
  return {
    name,
    file,
    description: value.description,
    ...schemaAs("args", value.args),
    ...optional(value, "uses", "progressArgument"),
  };
}

function hook({ id, hook }: Hook, { file }: Found): HookDefinition {
  return { id, hook, file };
}

function effect([description, schema]: Effect, { file, name }: Found): EffectDefinition {
  return { name, file, description, ...schemaAs("args", schema) };
}

function handler(value: Handler, { file, name }: Found): HandlerDefinition {
  return { name, file, ...optional(value, "description") };
}

function schemaAs<Key extends string>(key: Key, schema: unknown): { readonly [K in Key]?: Json } {
  return isObjectSchema(schema) ? { [key]: jsonSchema(schema) } as { [K in Key]?: Json } : {};
}

/** Those of the fields that are there. */
function optional<T extends object, K extends keyof T>(
  value: T,
  ...keys: readonly K[]
): { [P in K]?: NonNullable<T[P]> } {
  const kept: { [P in K]?: NonNullable<T[P]> } = {};
  for (const key of keys) {
    const item = value[key];
    if (item !== undefined && item !== null) kept[key] = item;
  }
  return kept;
}

function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}
