import type { LLMMessage, Message, MessageUpdates } from "./messages.ts";
import type { HookIds } from "./names.ts";
import type { ThreadState } from "./state.ts";
import type { ToolResult } from "./tool.ts";

/** For whom a hook runs. */
export interface HookExecutionContext {
  source:
    | { kind: "prompt"; promptName: string }
    | { kind: "agent"; agentName: string }
    | { kind: "child"; relationshipName: string; agentName: string; package?: string };
}

/** A call that a model asked for; `arguments` is JSON text. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

type Kept<T> = Promise<T | null | undefined | void>;

/** What each hook is given and gives; the context always comes last. */
export interface HookFunctions {
  after_thread_created: (state: ThreadState, context: HookExecutionContext) => Promise<void>;
  after_subagent_created: (
    parent: ThreadState,
    child: ThreadState,
    context: HookExecutionContext,
  ) => Promise<void>;
  /** Nothing keeps the text. */
  after_system_message: (state: ThreadState, text: string, context: HookExecutionContext) => Kept<string>;
  /** For the request alone; the thread keeps all. */
  filter_messages: (
    state: ThreadState,
    messages: Message[],
    context: HookExecutionContext,
  ) => Promise<Message[]>;
  /** An error with `block: true` keeps the model from being called. */
  prefilter_llm_history: (
    state: ThreadState,
    messages: LLMMessage[],
    context: HookExecutionContext,
  ) => Promise<LLMMessage[]>;
  before_create_message: (
    state: ThreadState,
    message: Message,
    context: HookExecutionContext,
  ) => Promise<Message>;
  after_create_message: (
    state: ThreadState,
    message: Message,
    context: HookExecutionContext,
  ) => Promise<void>;
  before_update_message: (
    state: ThreadState,
    messageId: string,
    updates: MessageUpdates,
    context: HookExecutionContext,
  ) => Promise<MessageUpdates>;
  after_update_message: (
    state: ThreadState,
    message: Message,
    context: HookExecutionContext,
  ) => Promise<void>;
  before_store_tool_result: (
    state: ThreadState,
    toolCall: ToolCall,
    toolResult: ToolResult,
    context: HookExecutionContext,
  ) => Promise<ToolResult>;
  /** Null drops the call. */
  after_tool_call_success: (
    state: ThreadState,
    toolCall: ToolCall,
    toolResult: ToolResult,
    context: HookExecutionContext,
  ) => Promise<ToolResult | null>;
  /** Null drops the call. */
  after_tool_call_failure: (
    state: ThreadState,
    toolCall: ToolCall,
    toolResult: ToolResult,
    context: HookExecutionContext,
  ) => Promise<ToolResult | null>;
  tool_call_started: (
    state: ThreadState,
    toolCall: ToolCall,
    progress: string | undefined,
    context: HookExecutionContext,
  ) => Promise<void>;
  tool_call_done: (
    state: ThreadState,
    toolCall: ToolCall,
    toolResult: ToolResult,
    context: HookExecutionContext,
  ) => Promise<void>;
}

/** When a hook runs. */
export type HookName = keyof HookFunctions;

/** `defineHook`: decorates what somebody else does; where it fails, that goes on without it. */
export interface HookDefinition<Name extends HookName = HookName> {
  hook: Name;
  /** snake_case, and nobody else's. */
  id: HookIds;
  execute: HookFunctions[Name];
}
