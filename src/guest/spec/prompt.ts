import type { Callables, HookIds, Models, Prompts } from "./names.ts";
import type { ArgumentsSchema, VariableDefinition } from "./tool.ts";

/** A piece of a prompt's text. */
export type PromptPart =
  | { type: "text"; content: string }
  | { type: "include"; prompt: Prompts }
  | { type: "env"; property: string };

/** What must not stand beside a callable: relationships belong to a side of an agent. */
interface NoRelationship {
  resumable?: never;
  receives_messages?: never;
  blocking?: never;
  hidden?: never;
  immediate?: never;
  execute?: never;
}

/** A prompt that is called as a tool. */
export interface SubpromptConfig extends NoRelationship {
  name: Callables;
  /** True unless said. */
  includeTextResponse?: boolean;
  /** True unless said. */
  includeToolCalls?: boolean;
  /** True unless said. */
  includeErrors?: boolean;
  /** The argument that becomes its first message. */
  initUserMessageProperty?: string;
  initAttachmentsProperty?: string;
}

/** A tool with variables or options of its own. */
export interface PromptToolConfig extends NoRelationship {
  name: Callables;
  env?: Record<string, string>;
  options?: Record<string, unknown>;
}

/** How hard a model thinks. */
export interface ReasoningConfig {
  effort?: "low" | "medium" | "high";
  maxTokens?: number;
  exclude?: boolean;
  include?: boolean;
}

/** `definePrompt` */
export interface PromptDefinition {
  /** Without `/`. */
  name: string;
  /** What a model reads that may call it. */
  toolDescription: string;
  prompt: string | PromptPart[];
  model: Models;
  /** Whether a sub-prompt sees the conversation; false unless said. */
  includeChat?: boolean;
  includePastTools?: boolean;
  parallelToolCalls?: boolean;
  /** `auto` unless said. */
  toolChoice?: "auto" | "none" | "required";
  /** The arguments that it takes: `z.object({ … })`. */
  requiredSchema?: ArgumentsSchema;
  variables?: VariableDefinition[];
  tools?: (Callables | SubpromptConfig | PromptToolConfig)[];
  /** Services whose tools it may call: `ocr/v1`. */
  services?: `${string}/v${number}`[];
  env?: Record<string, string>;
  reasoning?: ReasoningConfig;
  /** Images of so many last messages are shown to the model; 10 unless said. */
  recentImageThreshold?: number;
  hooks?: HookIds[];
}
