import type { Json } from "../../base/mod.ts";
import type { LoggedError, Side } from "../../store/mod.ts";
import type { ModelDefinition, PromptDefinition, WireMessage } from "../../wire/mod.ts";
import type { SessionEnd } from "../engine/turns.ts";
import type { AnswerPiece, ModelAnswer, ModelRequest } from "../ports.ts";
import type { OfferedTool } from "../tools/offered.ts";
import type { ToolResult } from "../tools/tool_result.ts";
import type { HistoryView } from "./history.ts";
import type { HookChain } from "./hook_chain.ts";
import type { LlmMessage, ToolCall } from "./llm_message.ts";

/** A row that a loop writes. */
export interface NewRow {
  readonly id?: string;
  readonly role: "user" | "assistant" | "tool";
  readonly content: string | null;
  readonly toolCalls?: readonly ToolCall[];
  readonly toolCallId?: string;
  readonly toolStatus?: "success" | "error";
  readonly name?: string;
  readonly silent?: boolean;
  readonly metadata?: { readonly [key: string]: Json };
  readonly attachments?: readonly Json[];
}

/** One model call as the log has it. */
export interface RequestLog {
  readonly latencyMs: number;
  readonly error: LoggedError | null;
  readonly data: { readonly [key: string]: Json };
}

/** What a tool call came to; `handOff` names the agent that the thread goes on as. */
export interface CallOutcome {
  readonly result: ToolResult;
  readonly handOff?: string;
}

/** A call that a tool has queued, with what stands behind its name; undefined for nothing. */
export interface QueuedCall {
  readonly name: string;
  readonly arguments: Json;
  readonly tool: OfferedTool | undefined;
}

/** What a model loop has to do with its thread. A side's turn and a sub-prompt each bring their own. */
export interface LoopPorts {
  readonly signal: AbortSignal;
  readonly prompt: PromptDefinition;
  readonly model: ModelDefinition | undefined;
  readonly hooks: HookChain;
  readonly view: HistoryView;
  /** The role of what the loop says. */
  readonly role: "user" | "assistant";
  readonly side: Side;
  /** Milliseconds that only grow. */
  monotonic(): number;
  /** Called before each step: counts it, and gives the side what has come meanwhile. */
  begin(): Promise<void>;
  /** The rows that the model is to see, in order. */
  rows(): readonly WireMessage[];
  /** What stands before the rows, in the model's own roles: the chat that a sub-prompt is shown. */
  before(): readonly LlmMessage[];
  promptText(): string;
  tools(): readonly OfferedTool[];
  /** Adds a row, with the hooks of messages around it. */
  append(row: NewRow): Promise<WireMessage>;
  log(entry: RequestLog): Promise<void>;
  /**
   * @param piece gets pieces of the answer while it is made
   * @throws {ServiceFailure} an error of `llm/v1`
   */
  ask(request: ModelRequest, piece?: (piece: AnswerPiece) => void): Promise<ModelAnswer>;
  /** Runs a tool. Rejects only where the turn cannot go on: the host died, the turn was aborted. */
  call(tool: OfferedTool | undefined, call: ToolCall, caller: WireMessage): Promise<CallOutcome>;
  /** What tools have queued since it was asked last. */
  queued(): readonly QueuedCall[];
  /** References of files for paths, or why not. */
  files(paths: readonly string[]): { readonly attachments: readonly Json[] } | { readonly missing: string };
  /** Ends the thread's session; `files` are the paths that go with its result. */
  endSession(end: SessionEnd, files: readonly string[]): Promise<void>;
  setStatus(text: string): Promise<void>;
  /** Why code has ended the turn from inside, if it has. */
  stopped(): string | null;
  /** Tells those who watch. */
  delta(data: Json): void;
}

/** How a loop ended. */
export interface LoopEnd {
  readonly stopCode: string;
  readonly error: LoggedError | null;
  /** The last text that the model said. */
  readonly text: string | null;
  readonly handOff: string | null;
}
