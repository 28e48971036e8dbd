import type { AgentDefinition } from "./agent.ts";
import { branded } from "./brand.ts";
import type { EffectDefinition, EffectWithArguments, EffectWithoutArguments } from "./effect.ts";
import { HANDLER_SYMBOL, type HandlerDefinition } from "./handler.ts";
import type { HookDefinition, HookName } from "./hook.ts";
import type { ModelDefinition, ProviderDefinition } from "./model.ts";
import type { PromptDefinition } from "./prompt.ts";
import type { ArgumentsSchema, ToolDefinition, ToolWithArguments, ToolWithoutArguments } from "./tool.ts";

/** Defines an agent: two sides, and who stands behind each. In `agents/agents/`. */
export function defineAgent(options: AgentDefinition): AgentDefinition {
  return branded({ ...options }, "agent");
}

/** Defines a prompt: a system text, a model, what it may call. In `agents/prompts/`. */
export function definePrompt(options: PromptDefinition): PromptDefinition {
  return branded({ ...options }, "prompt");
}

/** Defines a name for a model. In `agents/models/`. */
export function defineModel(options: ModelDefinition): ModelDefinition {
  return branded({ ...options }, "model");
}

/** Defines a provider. In `agents/providers/`. */
export function defineProvider(options: ProviderDefinition): ProviderDefinition {
  return branded({ ...options }, "provider");
}

/** Defines a tool; its name is its file's. In `agents/tools/`. */
export function defineTool<Schema extends ArgumentsSchema>(
  options: ToolWithArguments<Schema>,
): ToolWithArguments<Schema>;
export function defineTool(options: ToolWithoutArguments): ToolWithoutArguments;
export function defineTool(options: ToolDefinition): ToolDefinition {
  return branded({ ...options }, "tool");
}

/** Defines a hook. In `agents/hooks/`. */
export function defineHook<Name extends HookName>(options: HookDefinition<Name>): HookDefinition<Name> {
  return branded({ ...options }, "hook");
}

/** Defines a delayed function; its name is its file's. In `agents/effects/`. */
export function defineEffect<Schema extends ArgumentsSchema>(
  description: string,
  schema: Schema,
  execute: EffectWithArguments<Schema>,
): EffectDefinition<Schema>;
export function defineEffect(description: string, execute: EffectWithoutArguments): EffectDefinition;
export function defineEffect(
  description: string,
  ...rest:
    | readonly [ArgumentsSchema, EffectWithArguments<ArgumentsSchema>]
    | readonly [EffectWithoutArguments]
): EffectDefinition {
  const definition: EffectDefinition = rest.length === 1
    ? [description, null, rest[0]]
    : [description, rest[0], rest[1]];
  return branded(definition, "effect");
}

/** Defines a handler; its name is its file's. In `agents/handlers/`. */
export function defineHandler(options: HandlerDefinition): HandlerDefinition {
  return branded({ ...options }, "handler", HANDLER_SYMBOL);
}
