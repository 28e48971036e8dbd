/** One side of an agent: A writes `assistant` rows and acts on `user` rows, B the other way round. */
export type Side = "a" | "b";

/** Who wrote a row of the conversation; `assistant` is side A, `user` side B, whatever backs them. */
export type MessageRole = "system" | "user" | "assistant" | "tool";

/** What a thread is doing; a child's registry entry may show a text of its own instead. */
export type ThreadStatus = "idle" | "running" | "awaiting_human" | "failed" | "terminated";

/** How a child tells its parent that its session ended (seed: implicit is the runtime's own message). */
export type ParentCommunication = "implicit" | "explicit";

/** What a thread is to its parent. */
export interface ChildLink {
  readonly parent: string;
  /** The name under which the owning side declares it. */
  readonly relationship: string;
  /** The parent's side that owns the relationship: what the child sends up lands there. */
  readonly owner: Side;
  readonly communication: ParentCommunication;
  readonly blocking: boolean;
  readonly spawnGroup: string | null;
}

/** A thread. Times are microseconds since 1970; every count starts at 0. */
export interface ThreadRow {
  readonly id: string;
  readonly project: string;
  /** Changes at a handoff only. */
  agent: string;
  /** Whose thread it is. */
  readonly person: string | null;
  title: string | null;
  description: string | null;
  readonly createdAt: number;
  readonly link: ChildLink | null;
  /** JSON text of the invocation's arguments. */
  readonly arguments: string;
  terminatedAt: number | null;
  /** A person's stop: what waits stays waiting until somebody sends again or says continue. */
  stopped: boolean;
  status: ThreadStatus;
  /** What the child says of itself in its parent's registry. */
  statusText: string | null;
  /** The last sequence number given out: to messages, turns, log rows and their changes alike. */
  seq: number;
  /** The sequence number of the last message that a side has been given; later ones wait. */
  seenA: number;
  seenB: number;
  /** The turn under way. */
  turn: string | null;
  /** The number of the session, from 1; 0 before the first. */
  session: number;
  sessionOpen: boolean;
  /** Completed turns of a side in this session. */
  turnsA: number;
  turnsB: number;
  /** {@linkcode MessageRow.hops} of the message that the last turn was given. */
  hops: number;
}

/** A message. `seq` is its place in the thread, `rev` the number of its last change. */
export interface MessageRow {
  readonly thread: string;
  readonly seq: number;
  rev: number;
  readonly id: string;
  readonly role: MessageRole;
  content: string | null;
  readonly name: string | null;
  /** JSON text: `[{ id, name, arguments }]`. */
  readonly toolCalls: string | null;
  readonly toolCallId: string | null;
  readonly toolStatus: "success" | "error" | null;
  readonly createdAt: number;
  readonly silent: boolean;
  /** JSON text of an object. */
  metadata: string | null;
  /** JSON text of a list. */
  attachments: string | null;
  readonly parentId: string | null;
  /** 0 for the conversation itself, more inside sub-prompts. */
  readonly depth: number;
  /** The turn that wrote it; null for what came from outside. */
  readonly turn: string | null;
  /** How many turns, of whatever threads, lie between it and a word from outside: 0 for that word itself. */
  readonly hops: number;
  deleted: boolean;
}

/** How a turn ended. `interrupted`: the process that ran it died; `aborted`: somebody stopped it. */
export type TurnState = "running" | "done" | "failed" | "interrupted" | "aborted";

/** One turn of one side. */
export interface TurnRow {
  readonly thread: string;
  readonly seq: number;
  rev: number;
  readonly id: string;
  readonly session: number;
  readonly side: Side;
  readonly backing: "handler" | "prompt" | "human";
  /** The handler's or prompt's name. */
  readonly name: string;
  /** The message that it was given. */
  readonly messageId: string;
  state: TurnState;
  readonly startedAt: number;
  endedAt: number | null;
  /** `stop_on_response`, `max_session_turns` and the like. */
  stopCode: string | null;
  error: LoggedError | null;
}

/** A failure as the log has it. */
export interface LoggedError {
  readonly message: string;
  /** `handler_execution_error`, `interrupted_incomplete` and the like. */
  readonly type: string;
  /** `runtime`, `provider:<id>`, `tool:<id>`, `hook:<id>`. */
  readonly origin: string;
  readonly stack?: string;
}

/** What a log row is about; handler turns are rows of {@linkcode TurnRow}. */
export type LogKind =
  | "model_request"
  | "tool_execution"
  | "effect_execution"
  | "hook_failure"
  | "deadlock"
  | "ping_pong"
  | "runtime";

/** A log row beside the turns. */
export interface LogRow {
  readonly thread: string;
  readonly seq: number;
  rev: number;
  readonly id: string;
  readonly turn: string | null;
  readonly kind: LogKind;
  /** The tool, effect, hook or prompt. */
  readonly name: string | null;
  readonly messageId: string | null;
  readonly createdAt: number;
  complete: boolean;
  latencyMs: number | null;
  error: LoggedError | null;
  /** JSON text of an object: model, provider, tokens, cost, finish reason, what a person should do. */
  data: string;
}

/** One stretch of autonomous work. */
export interface SessionRow {
  readonly thread: string;
  readonly number: number;
  readonly openedAt: number;
  closedAt: number | null;
  /** `session_stop`, `session_fail`, `state_stop_session`, `max_session_turns`, `quiet`, `terminated`. */
  reason: string | null;
  success: boolean | null;
  result: string | null;
}

/** A delayed function of a thread. */
export interface EffectRow {
  readonly id: string;
  readonly thread: string;
  readonly name: string;
  /** JSON text. */
  readonly args: string;
  /** When it is due, in microseconds. */
  readonly scheduledAt: number;
  readonly createdAt: number;
  state: "pending" | "processing" | "completed" | "failed" | "agent_canceled" | "user_canceled";
  error: LoggedError | null;
}

/** A variable of a thread. */
export interface EnvRow {
  readonly name: string;
  readonly value: string;
  readonly type: "text" | "secret";
}

/** A file of a thread; its bytes lie in the thread's folder. */
export interface FileRow {
  readonly thread: string;
  /** `/attachments/scan.pdf`. */
  readonly path: string;
  readonly mimeType: string;
  readonly size: number;
  readonly isDirectory: boolean;
  /** JSON text of an object. */
  readonly metadata: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}
