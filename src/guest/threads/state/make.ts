import type { ExecutionState, ThreadState, UserHandle } from "../../spec/state.ts";
import { lifeMethods } from "./children.ts";
import { definitionMethods } from "./definitions.ts";
import { executionOf } from "./execution.ts";
import { fileMethods } from "./files.ts";
import { messageMethods } from "./messages.ts";
import { childrenOf, type Place } from "./place.ts";
import { toolMethods } from "./tools.ts";
import { userOf } from "./user.ts";
import { valueMethods } from "./values.ts";

/** The properties; the methods stand beside them on the prototype. */
class State {
  /** Scratch for the run, shared by all that one run is given. */
  readonly context: Record<string, unknown>;
  readonly #at: Place;
  #execution: ExecutionState | null | undefined;

  constructor(at: Place) {
    this.#at = at;
    this.context = at.isOwn ? at.run.context : {};
  }

  get threadId(): string {
    return this.#at.thread.threadId;
  }

  get agentId(): string {
    return this.#at.thread.agentId;
  }

  get userId(): string | null {
    return this.#at.thread.userId;
  }

  get createdAt(): number {
    return this.#at.thread.createdAt;
  }

  get terminated(): number | null {
    return this.#at.thread.terminated;
  }

  get arguments(): unknown {
    return this.#at.thread.arguments;
  }

  /** A list of its own for each who looks, so that nobody's changes reach another. */
  get children(): unknown[] {
    return [...childrenOf(this.#at)];
  }

  get execution(): ExecutionState | null {
    if (this.#execution === undefined) this.#execution = this.#at.isOwn ? executionOf(this.#at.run) : null;
    return this.#execution;
  }

  user(): UserHandle | null {
    return userOf(this.#at);
  }

  static at(state: State): Place {
    return state.#at;
  }
}

const METHODS: Readonly<Record<string, (at: Place) => unknown>> = {
  ...messageMethods,
  ...valueMethods,
  ...definitionMethods,
  ...fileMethods,
  ...toolMethods,
  ...lifeMethods(makeState),
};

// each is bound when it is looked at, so that it can be taken out of the state, and a run pays for what it uses
for (const [name, make] of Object.entries(METHODS)) {
  Object.defineProperty(State.prototype, name, {
    enumerable: true,
    get(this: State) {
      return make(State.at(this));
    },
  });
}

/** The ThreadState of one thread within a run. */
export function makeState(at: Place): ThreadState {
  return new State(at) as unknown as ThreadState;
}
