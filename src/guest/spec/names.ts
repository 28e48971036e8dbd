// deno-lint-ignore-file no-empty-interface -- `.agents/types.d.ts` of a project fills them

declare global {
  /** What a project defines: names as keys. `.agents/types.d.ts` adds them by declaration merging. */
  namespace StandardAgentSpec {
    interface ModelRegistry {}
    interface PromptRegistry {}
    interface AgentRegistry {}
    interface ToolRegistry {}
    /** What a prompt may call: prompts, agents and tools; never a handler. */
    interface CallableRegistry {}
    interface HookIdRegistry {}
    interface HandlerRegistry {}
    interface EffectRegistry {}
    /** For a prompt or an agent: the fields of its `requiredSchema`. */
    interface PromptSchemaRegistry {}
  }
}

/** The names of a registry; any text while there are none. */
type NamesOf<Registry> = [keyof Registry] extends [never] ? string
  : { [Name in keyof Registry]: Name }[keyof Registry] & string;

/** Names of models. */
export type Models = NamesOf<StandardAgentSpec.ModelRegistry>;
/** Names of prompts. */
export type Prompts = NamesOf<StandardAgentSpec.PromptRegistry>;
/** Names of agents. */
export type Agents = NamesOf<StandardAgentSpec.AgentRegistry>;
/** Names of tools: their files'. */
export type Tools = NamesOf<StandardAgentSpec.ToolRegistry>;
/** What a prompt may call. */
export type Callables = NamesOf<StandardAgentSpec.CallableRegistry> | `provider:${string}` | `mcp:${string}`;
/** Ids of hooks. */
export type HookIds = NamesOf<StandardAgentSpec.HookIdRegistry>;
/** Names of handlers: their files'. */
export type Handlers = NamesOf<StandardAgentSpec.HandlerRegistry>;
/** Names of effects: their files'. */
export type Effects = NamesOf<StandardAgentSpec.EffectRegistry>;

/** The fields of the arguments that a prompt or an agent takes; any text where it is not known. */
export type SchemaFields<Name extends string> = Name extends keyof StandardAgentSpec.PromptSchemaRegistry
  ? Extract<StandardAgentSpec.PromptSchemaRegistry[Name], string>
  : string;
