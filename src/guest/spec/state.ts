import type { AgentDefinition } from "./agent.ts";
import type { ThreadFiles } from "./files.ts";
import type {
  GetMessagesOptions,
  InjectMessageInput,
  Message,
  MessagesPage,
  MessageUpdates,
  QueueMessageInput,
} from "./messages.ts";
import type { ModelDefinition } from "./model.ts";
import type { Agents, Callables, Effects, Models, Prompts } from "./names.ts";
import type { PromptDefinition } from "./prompt.ts";
import type { ToolResult } from "./tool.ts";

/** A child as its parent's registry has it. Times are microseconds. */
export interface SubagentRegistryEntry {
  /** The child's thread. */
  reference: string;
  relationship: string;
  /** The side that owns the relationship: what the child says lands there. */
  owner: "a" | "b";
  /** Its agent. */
  name: string;
  title?: string;
  description: string;
  blocking?: boolean;
  parentCommunication?: "implicit" | "explicit";
  /** `running`, `idle`, `failed`, `awaiting_human`, `terminated`, or a text of the child's own. */
  status: string;
  threadName?: string;
  spawnGroupId?: string;
  initialArguments?: Record<string, unknown>;
  createdAt?: number;
}

/** The turn under way. */
export interface ExecutionState {
  flowId: string;
  currentSide: "a" | "b";
  stepCount: number;
  sideAStepCount: number;
  sideBStepCount: number;
  stopped: boolean;
  stoppedBy?: "a" | "b";
  messageHistory: Message[];
  /** The prompts that called each other, outermost first. */
  promptPath: string[];
  forceTurn(side: "a" | "b"): void;
  stop(): void;
  /** Fires when somebody stops the thread or the turn's time is over. */
  abortSignal: AbortSignal;
}

/** A delayed function that waits for its time. Times are microseconds. */
export interface ScheduledEffect {
  id: string;
  name: string;
  args: Record<string, unknown>;
  scheduledAt: number;
  createdAt: number;
}

/** How a session ends, and what the parent hears; blank texts are refused. */
export interface StopSessionOptions {
  result?: string;
  notifyParent?: string;
  status?: string;
}

/** A row of a thread's log. */
export interface LogEntry {
  id: string;
  kind: string | null;
  message_id: string | null;
  provider: string | null;
  model: string | null;
  endpoint: string | null;
  prompt_name: string | null;
  error: string | null;
  error_type: string | null;
  error_origin: string | null;
  latency_ms: number | null;
  is_complete: boolean;
  created_at: number;
  [column: string]: unknown;
}

/** A run of code in a sandbox of its own. */
export interface CodeRun extends PromiseLike<CodeResult> {
  readonly running: boolean;
  readonly reports: unknown[];
  terminate(reason?: string): void;
}

/** What a run of code came to. */
export interface CodeResult {
  status: string;
  result: unknown;
  logs: string[];
  reports: unknown[];
  durationMs: number;
  error?: string;
}

/** The person whose thread it is; the values are theirs, in all of their threads. */
export interface UserHandle {
  readonly id: string;
  getValue<T = unknown>(key: string): Promise<T | null>;
  /** Null and undefined remove it. */
  setValue(key: string, value: unknown): Promise<void>;
  listValues(): Promise<Record<string, unknown>>;
  /** Sends an event to those who watch the thread. */
  emit(event: string, data: unknown): void;
}

/** A thread, for the code that runs in it: handlers, tools, hooks and effects alike. */
export interface ThreadState extends ThreadFiles {
  readonly threadId: string;
  /** The agent's name. */
  readonly agentId: string;
  /** Whose thread it is. */
  readonly userId: string | null;
  readonly createdAt: number;
  /** The children at this moment. */
  readonly children: SubagentRegistryEntry[];
  /** When it was terminated, in microseconds. */
  readonly terminated: number | null;
  readonly arguments: Record<string, unknown>;
  /** A place to put things for the run under way. */
  readonly context: Record<string, unknown>;
  /** Null in an effect. */
  readonly execution: ExecutionState | null;
  readonly _notPackableRuntimeContext?: Record<string, unknown>;

  getMessages(options?: GetMessagesOptions): Promise<MessagesPage>;
  getMessage(id: string): Promise<Message | null>;
  /** Appends a message; nobody is woken by it. */
  injectMessage(input: InjectMessageInput): Promise<Message>;
  /** Appends a message durably and wakes the side that acts on its role. */
  queueMessage(input: QueueMessageInput): Promise<void>;
  updateMessage(id: string, updates: MessageUpdates): Promise<Message>;
  /** Takes back a message that still waits, too. */
  deleteMessage(id: string): Promise<boolean>;
  getLogs(options?: { limit?: number; offset?: number; order?: "asc" | "desc" }): Promise<LogEntry[]>;

  loadModel(name: Models): Promise<ModelDefinition>;
  loadPrompt(name: Prompts): Promise<PromptDefinition>;
  loadAgent(name: Agents): Promise<AgentDefinition>;
  getModelNames(): Promise<string[]>;
  getPromptNames(): Promise<string[]>;
  getAgentNames(): Promise<string[]>;

  /** The value of a variable; throws where there is none. */
  env(name: string): Promise<string>;
  envType(name: string): Promise<"text" | "secret">;
  setEnv(name: string, value: string, options?: { type?: "text" | "secret" }): Promise<void>;
  instanceEnv(name: string): Promise<string | undefined>;

  getValue<T = unknown>(key: string): Promise<T | null>;
  /** Null and undefined remove it. */
  setValue(key: string, value: unknown): Promise<void>;
  getUserValue<T = unknown>(key: string): Promise<T | null>;
  setUserValue(key: string, value: unknown): Promise<void>;
  listUserValues(): Promise<Record<string, unknown>>;
  /** Null where the thread is nobody's. */
  user(): UserHandle | null;

  /** Tells the parent's owning side something; without a parent nothing happens. */
  notifyParent(content: string): Promise<void>;
  /** What the parent's registry shows; without a parent nothing happens. */
  setStatus(status: string): Promise<void>;
  stopSession(options?: StopSessionOptions): Promise<void>;
  /** Null unless it is a child of this thread. */
  getChildThread(reference: string): Promise<ThreadState | null>;
  getParentThread(): Promise<ThreadState | null>;
  terminate(): Promise<void>;

  queueTool(name: Callables, args?: Record<string, unknown>): void;
  /** Runs a tool at once; what goes wrong is in the result. */
  invokeTool(name: Callables, args?: Record<string, unknown>): Promise<ToolResult>;
  scheduleEffect(name: Effects, args: Record<string, unknown>, delayMs?: number): Promise<string>;
  getScheduledEffects(name?: Effects): Promise<ScheduledEffect[]>;
  removeScheduledEffect(id: string): Promise<boolean>;
  /** Sends an event to those who watch the thread. */
  emit(event: string, data: unknown): void;
  runAgent(agent: Agents): Promise<void>;
  runCode(source: string, options?: Record<string, unknown>): CodeRun;
}
