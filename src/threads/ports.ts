import type { Clock, Json, Logger } from "../base/mod.ts";
import type { ThreadStore } from "../store/mod.ts";
import type {
  DefinitionProblem,
  DefinitionSet,
  ExecutionSnapshot,
  Invocation,
  SubagentEntry,
  ThreadSnapshot,
  WireError,
} from "../wire/mod.ts";

/** Something that a project's code asks of a thread while it runs. */
export interface StateCall {
  /** The thread that the code runs for. */
  readonly origin: string;
  /** The thread that is asked: the same, its parent or a child. */
  readonly thread: string;
  readonly method: string;
  readonly args: readonly Json[];
}

/** The answer to a {@linkcode StateCall}. */
export interface StateAnswer {
  readonly value?: Json;
  /** The children of the thread that the code runs for, where they changed. */
  readonly children?: readonly SubagentEntry[];
}

/** One run of a function in a thread host. */
export interface HostRun {
  /** What it returned. @throws {HostFailure} what it threw, or how its host ended */
  readonly outcome: Promise<Json | undefined>;
  /** Asks it to end: its `abortSignal` fires, and what it asks of its thread is refused from now on. */
  abort(reason: string): void;
}

/**
 * How a run failed: its code threw; the process that ran it died (`interrupted`) or was ended because this very code used
 * the processor and let nothing else run (`spun`); or that process was ended before the code was called (`not_begun`).
 */
export type HostFailureKind = "thrown" | "interrupted" | "spun" | "not_begun";

/** Project code threw, or the process that ran it is no more. */
export class HostFailure extends Error {
  override readonly name = "HostFailure";
  readonly kind: HostFailureKind;
  readonly error: WireError;

  constructor(kind: HostFailureKind, error: WireError) {
    super(error.message);
    this.kind = kind;
    this.error = error;
  }

  /** Whether the process is no more, so that nothing that runs there can go on. */
  get hostEnded(): boolean {
    return this.kind !== "thrown";
  }
}

/** A running thread host with the definitions that it loaded; replaced as a whole by a reload. */
export interface ThreadHost {
  readonly definitions: DefinitionSet;
  readonly problems: readonly DefinitionProblem[];
  /** Runs a function; it is sent before this returns. `answer` is called for each thing that the code asks. */
  run(
    what: Invocation,
    thread: ThreadSnapshot,
    execution: ExecutionSnapshot | null,
    answer: (call: StateCall) => Promise<StateAnswer> | StateAnswer,
  ): HostRun;
  /** Ends the process at once; runs that have begun fail as `interrupted`, others as `not_begun`. */
  kill(reason: string): void;
}

/** The hosts of projects: one process at most for each that works, none for one that rests. */
export interface ThreadHosts {
  /** The newest host of a project if it is up: no waiting. */
  current(project: string): ThreadHost | undefined;
  /** The newest host, started where there is none. @throws {HandlerError} the project or its folder is not there, a definition is wrong */
  get(project: string): Promise<ThreadHost>;
  /** Loads a project's definitions and says what is wrong, in a host of its own. */
  check(project: string): Promise<Pick<ThreadHost, "definitions" | "problems">>;
  /** Keeps the host alive while something of the project is under way; what it gives is called once, at the end. */
  use(project: string): () => void;
  close(): Promise<void>;
}

/** A model's answer and what it cost. */
export interface ModelAnswer {
  readonly text: string;
  readonly json: Json | undefined;
  readonly model: string;
  readonly stop: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What is asked of a model: `llm/v1` (contract S.21). */
export interface ModelRequest {
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
  readonly system?: string;
  readonly model?: string;
  readonly maxTokens?: number;
  readonly temperature?: number;
  /** JSON text of a JSON Schema. */
  readonly schema?: string;
}

/** Services for threads, through the router, as the project they belong to. */
export interface ThreadServices {
  /** The tools of an interface such as `ocr/v1`. @throws {HandlerError} unknown interface */
  tools(interfaceId: string): readonly ServiceTool[];
  /**
   * Calls a tool; paths in `args` lie in the thread's own folder of files.
   * @throws {ServiceFailure} an error of the interface, in its own words
   */
  call(
    project: string,
    scope: string,
    interfaceId: string,
    tool: string,
    args: Json,
    options: ServiceCallOptions,
  ): Promise<Json>;
}

/** How a call of a service is followed. */
export interface ServiceCallOptions {
  readonly signal: AbortSignal;
  progress(text: string): void;
  /** Gets pieces of the answer while it is made; left out, none are asked for. */
  piece?(piece: AnswerPiece): void;
}

/** A piece of an answer's text; one with `at` 0 begins anew, and what was told before is void. */
export interface AnswerPiece {
  /** UTF-16 units of the text before it. */
  readonly at: number;
  readonly text: string;
}

/** A tool of an interface. */
export interface ServiceTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json;
}

/** An interface's own error: `refused`, `unavailable` and so on. */
export class ServiceFailure extends Error {
  override readonly name = "ServiceFailure";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The person's settings for threads. */
export interface ThreadSettings {
  /** The longest turn, in milliseconds. */
  readonly turnLimitMs: number;
  /** How long a thread host without work is kept, in milliseconds. */
  readonly idleMs: number;
  /** After so many turns with no message from outside a ping-pong is reported. */
  readonly pingPongTurns: number;
  /** Turns under way at once in one project, and in all. */
  readonly projectTurns: number;
  readonly allTurns: number;
  /** Where a variable is looked for, first place first. */
  readonly envOrder: readonly EnvPlace[];
}

/** A place that variables of a thread come from. */
export type EnvPlace = "thread" | "account" | "instance" | "agent" | "prompt";

/** What the threads are made of; every field is required. */
export interface ThreadsPorts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly store: ThreadStore;
  readonly hosts: ThreadHosts;
  readonly services: ThreadServices;
  /** Where files of threads lie, one folder a thread. */
  readonly filesFolder: string;
  settings(): ThreadSettings;
  /** Whether a project is configured. */
  isProject(name: string): boolean;
  /** A person's or the project's variables from the configuration. */
  accountEnv(person: string | null): Readonly<Record<string, string>>;
  instanceEnv(project: string): Readonly<Record<string, string>>;
  /** Tells a person that a thread waits for them. */
  notify(person: string | null, title: string, body: string, link: string): void;
}
