/**
 * What the daemon and a thread host say to each other: one JSON object a line, both ways over one connection that the
 * daemon makes to the host's socket. The host loads a project's definitions, reports them as data, and runs the
 * functions among them; whatever such a function asks of its thread goes back over the same connection.
 */
import type { Json } from "../base/mod.ts";

/** Something wrong or doubtful in a definition. */
export interface DefinitionProblem {
  /** From the project's folder: `agents/agents/relay_agent.ts`. */
  readonly file: string;
  /** Place in the definition: `sideA.maxSteps`; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
  readonly severity: "error" | "warning";
  /** Line and column from 1, where the file itself cannot be read. */
  readonly line?: number;
  readonly column?: number;
}

/** A tool that ends a session. */
export interface SessionBinding {
  readonly name: string;
  readonly messageProperty?: string;
  readonly attachmentsProperty?: string;
}

/** A child that a side may have. */
export interface RelationshipDefinition {
  readonly agent: string;
  /** The relationship's name; the agent's where the definition gives none. */
  readonly as: string;
  readonly description?: string;
  readonly maxInstances?: number;
  readonly immediate:
    | false
    | {
      readonly nameEnv?: string;
      readonly descriptionEnv?: string;
      readonly scopedEnv?: readonly string[];
    };
  readonly blocking: boolean;
  readonly parentCommunication: "implicit" | "explicit";
  readonly scopedEnv: readonly string[];
  readonly initUserMessageProperty?: string;
  readonly initAttachmentsProperty?: string;
  readonly initAgentNameProperty?: string;
  /** The variable that turns it on. */
  readonly optional?: string;
  readonly hidden: boolean;
}

/** One side of an agent, with every default filled in. */
export type SideDefinition =
  & { readonly label?: string; readonly subagents: readonly RelationshipDefinition[] }
  & (
    | { readonly kind: "human" }
    | { readonly kind: "handler"; readonly handler: string }
    | {
      readonly kind: "prompt";
      readonly prompt: string;
      readonly stopOnResponse: boolean;
      readonly stopTool?: string;
      readonly stopToolResponseProperty?: string;
      readonly maxSteps?: number;
      readonly manualStopCondition: boolean;
      readonly sessionStop?: SessionBinding;
      readonly sessionFail?: SessionBinding;
      readonly sessionStatus?: SessionBinding;
    }
  );

/** `defineAgent`. */
export interface AgentDefinition {
  readonly name: string;
  readonly file: string;
  readonly sideA: SideDefinition;
  readonly sideB: SideDefinition;
  readonly maxSessionTurns?: number;
  readonly exposeAsTool: boolean;
  readonly toolDescription?: string;
  readonly primary: boolean;
  readonly description?: string;
  readonly parentHooks: readonly {
    readonly hook: string;
    readonly reason: string;
    readonly stage: "before_parent" | "after_parent";
  }[];
  readonly hooks: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A part of a prompt's text. */
export type PromptPart =
  | { readonly type: "text"; readonly content: string }
  | { readonly type: "include"; readonly prompt: string }
  | { readonly type: "env"; readonly property: string };

/** What a prompt may call. */
export interface PromptTool {
  readonly name: string;
  readonly includeTextResponse: boolean;
  readonly includeToolCalls: boolean;
  readonly includeErrors: boolean;
  readonly initUserMessageProperty?: string;
  readonly initAttachmentsProperty?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly options?: Json;
}

/** `definePrompt`. */
export interface PromptDefinition {
  readonly name: string;
  readonly file: string;
  readonly toolDescription: string;
  readonly prompt: readonly PromptPart[];
  readonly model: string;
  readonly includeChat: boolean;
  readonly includePastTools: boolean;
  readonly parallelToolCalls: boolean;
  readonly toolChoice: "auto" | "none" | "required";
  /** JSON Schema. */
  readonly requiredSchema?: Json;
  readonly variables: readonly {
    readonly name: string;
    readonly type: "text" | "secret";
    readonly required: boolean;
    readonly description: string;
    readonly scoped: boolean;
  }[];
  readonly tools: readonly PromptTool[];
  /** Interfaces whose tools it may call: `ocr/v1`. */
  readonly services: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly reasoning?: Json;
  readonly recentImageThreshold: number;
  readonly hooks: readonly string[];
}

/** `defineModel`: a name for a model of the project's `llm/v1` binding. */
export interface ModelDefinition {
  readonly name: string;
  readonly file: string;
  /** The model as the service knows it. */
  readonly model: string;
  readonly provider?: string;
  readonly maxTokens?: number;
  readonly temperature?: number;
  /** US dollars for a million tokens. */
  readonly inputPrice?: number;
  readonly outputPrice?: number;
}

/** `defineTool`. */
export interface ToolDefinition {
  readonly name: string;
  readonly file: string;
  readonly description: string;
  /** JSON Schema of an object; undefined for a tool without arguments. */
  readonly args?: Json;
  /** What it may call itself; undefined for anything. */
  readonly uses?: readonly string[];
  readonly progressArgument?: string;
}

/** `defineHook`. */
export interface HookDefinition {
  readonly id: string;
  readonly hook: string;
  readonly file: string;
}

/** `defineEffect`. */
export interface EffectDefinition {
  readonly name: string;
  readonly file: string;
  readonly description: string;
  /** JSON Schema. */
  readonly args?: Json;
}

/** `defineHandler`. */
export interface HandlerDefinition {
  readonly name: string;
  readonly file: string;
  readonly description?: string;
}

/** All definitions of a project, checked as a whole. */
export interface DefinitionSet {
  readonly agents: readonly AgentDefinition[];
  readonly prompts: readonly PromptDefinition[];
  readonly models: readonly ModelDefinition[];
  readonly tools: readonly ToolDefinition[];
  readonly hooks: readonly HookDefinition[];
  readonly effects: readonly EffectDefinition[];
  readonly handlers: readonly HandlerDefinition[];
}

/** An entry of a thread's registry of children. Times are microseconds. */
export interface SubagentEntry {
  readonly reference: string;
  readonly relationship: string;
  readonly owner: "a" | "b";
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly blocking: boolean;
  readonly parentCommunication: "implicit" | "explicit";
  readonly status: string;
  readonly threadName?: string;
  readonly spawnGroupId?: string;
  readonly initialArguments?: Json;
  readonly createdAt: number;
}

/** What a thread is when a function starts; `children` is sent again whenever it changes during the call. */
export interface ThreadSnapshot {
  readonly threadId: string;
  readonly agentId: string;
  readonly userId: string | null;
  readonly createdAt: number;
  readonly terminated: number | null;
  readonly arguments: Json;
  readonly children: readonly SubagentEntry[];
}

/** Where in a turn a function runs; effects and functions at rest have none. */
export interface ExecutionSnapshot {
  readonly flowId: string;
  readonly currentSide: "a" | "b";
  readonly stepCount: number;
  readonly sideAStepCount: number;
  readonly sideBStepCount: number;
  readonly promptPath: readonly string[];
}

/** A message as definitions see it. Times are microseconds. */
export interface WireMessage {
  readonly id: string;
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | null;
  readonly name?: string;
  /** JSON text of the calls. */
  readonly tool_calls?: string;
  readonly tool_call_id?: string;
  readonly created_at: number;
  readonly status: "pending" | "completed" | "failed" | null;
  readonly tool_status?: "success" | "error";
  readonly silent?: boolean;
  readonly metadata?: { readonly [key: string]: Json };
  readonly parent_id?: string;
  readonly depth?: number;
  readonly attachments?: readonly Json[];
}

/** A function of the project that the daemon wants run. */
export type Invocation =
  | { readonly kind: "handler"; readonly name: string; readonly message: WireMessage }
  | { readonly kind: "tool"; readonly name: string; readonly args: Json; readonly callId: string | null }
  | { readonly kind: "effect"; readonly name: string; readonly args: Json; readonly effectId: string }
  | {
    readonly kind: "hook";
    readonly id: string;
    /** What follows the state. */
    readonly args: readonly Json[];
    /** For `after_subagent_created`: the child. */
    readonly child?: ThreadSnapshot;
    readonly source: Json;
  };

/** What the daemon sends. */
export type ToHost =
  | {
    readonly t: "run";
    readonly id: number;
    readonly thread: ThreadSnapshot;
    readonly execution: ExecutionSnapshot | null;
    readonly what: Invocation;
  }
  | { readonly t: "abort"; readonly id: number; readonly reason: string }
  /** Asks for a word; it is answered as soon as no function keeps the host from it. */
  | { readonly t: "pulse" }
  /** The answer to a {@linkcode FromHost} call. */
  | {
    readonly t: "ok";
    readonly call: number;
    readonly value?: Json;
    readonly children?: readonly SubagentEntry[];
  }
  | { readonly t: "no"; readonly call: number; readonly error: WireError };

/** An error as it crosses. */
export interface WireError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** A machine's word for it, such as `subagent_env_required`. */
  readonly code?: string;
  /** Where a hook says that the run must not go on. */
  readonly block?: boolean;
}

/** What a thread host sends. */
export type FromHost =
  /** Once, first: everything was loaded, or why not; with an error among the problems it runs nothing. */
  | {
    readonly t: "ready";
    readonly definitions: DefinitionSet;
    readonly problems: readonly DefinitionProblem[];
  }
  /** Something asked of a thread: of the one the run is for, its parent or a child of it. */
  | {
    readonly t: "call";
    readonly call: number;
    readonly run: number;
    readonly thread: string;
    readonly method: string;
    readonly args: readonly Json[];
  }
  /** The function of a run is called once this is on its way, not before. */
  | { readonly t: "begun"; readonly id: number }
  | { readonly t: "pulse" }
  | { readonly t: "done"; readonly id: number; readonly value?: Json }
  | { readonly t: "failed"; readonly id: number; readonly error: WireError };

/** The largest file of a thread, in bytes. */
export const MAX_THREAD_FILE_BYTES = 32 * 1024 * 1024;
