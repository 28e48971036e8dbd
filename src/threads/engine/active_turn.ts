import { deferred } from "../../base/mod.ts";
import type { LoggedError, MessageRow, ThreadRow, TurnRow } from "../../store/mod.ts";
import type { AgentDefinition } from "../../wire/mod.ts";
import type { Definitions } from "../definitions.ts";
import type { ThreadHost } from "../ports.ts";
import type { Begun } from "./acts.ts";
import type { TurnEnd } from "./turns.ts";

/** What an {@linkcode ActiveTurn} is made of. */
export interface ActiveTurnParts {
  readonly begun: Begun;
  readonly definitions: Definitions;
  /** When it is over its limit, on the clock that only grows. */
  readonly deadline: number;
  /** Lets go of the host. */
  readonly leave: () => void;
}

/** How a turn is ended from outside: by a person, for its time, with the daemon. */
export type AbortState = "aborted" | "failed" | "interrupted";

const ABORT_TYPES: Readonly<Record<AbortState, string>> = {
  aborted: "aborted",
  failed: "turn_limit",
  interrupted: "interrupted_incomplete",
};

/** A turn under way, on the definitions that it began with. */
export class ActiveTurn {
  readonly thread: ThreadRow;
  readonly turn: TurnRow;
  readonly message: MessageRow;
  readonly agent: AgentDefinition;
  readonly host: ThreadHost;
  readonly definitions: Definitions;
  readonly deadline: number;
  readonly leave: () => void;
  /** Children of whose silence the log has been told. */
  readonly toldOf: Set<string> = new Set();
  /** Steps of the model loop so far. */
  steps = 0;
  /** Why the turn ended its session itself. */
  stopCode: string | null = null;
  readonly #over = deferred<void>();
  readonly #stop = new AbortController();
  #verdict: { readonly state: AbortState; readonly reason: string } | undefined;

  constructor({ begun, definitions, deadline, leave }: ActiveTurnParts) {
    this.thread = begun.thread;
    this.turn = begun.turn;
    this.message = begun.message;
    this.agent = begun.agent;
    this.host = begun.host;
    this.definitions = definitions;
    this.deadline = deadline;
    this.leave = leave;
  }

  get project(): string {
    return this.thread.project;
  }

  /** Aborted when somebody stops the turn or it is over its limit. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Settles once the function has ended, however. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** Asks it to end; the first reason counts. */
  abort(state: AbortState, reason: string): void {
    if (this.#verdict) return;
    this.#verdict = { state, reason };
    this.#stop.abort(new Error(reason));
  }

  /** The function has ended. */
  settled(): void {
    this.#over.resolve();
  }

  /** How the turn went: as its function says, unless it was asked to end. */
  verdict(end: TurnEnd): TurnEnd {
    if (!this.#verdict) return { ...end, stopCode: end.stopCode ?? this.stopCode };
    const { state, reason } = this.#verdict;
    const error: LoggedError = { message: reason, type: ABORT_TYPES[state], origin: "runtime" };
    return { state, error, stopCode: state === "aborted" ? "aborted" : null };
  }
}
