import type { Json } from "../../base/mod.ts";
import type { FromHost, Invocation, ToHost } from "../../wire/mod.ts";
import type { LoadedDefinitions } from "./definitions/mod.ts";
import { toWireError } from "./errors.ts";
import { invoke } from "./functions.ts";
import { type Caller, Run } from "./run.ts";
import { makeState } from "./state/mod.ts";

/** What a host is made of. */
export interface HostPorts {
  readonly loaded: LoadedDefinitions;
  /** The project's folder, which stacks are told without. */
  readonly folder: string;
  /** @throws where the message cannot be said in JSON */
  send(message: FromHost): void;
  /** Resolves once all that was sent so far is on its way. */
  flushed(): Promise<void>;
  /** Runs project code so that what it prints, and what it lets fall, can be told by its thread. */
  within(thread: string, work: () => Promise<void>): void;
}

/** Runs a project's functions for the daemon at the other end. */
export class Host {
  readonly #ports: HostPorts;
  readonly #runs = new Map<number, Run>();
  /** Who waits for an answer, by the number of the call. */
  readonly #callers = new Map<number, Run>();
  #calls = 0;
  /** The begin of the last run that came. */
  #begun: Promise<void> = Promise.resolve();

  constructor(ports: HostPorts) {
    this.#ports = ports;
  }

  /** Takes one message of the daemon's. */
  take(message: ToHost): void {
    switch (message.t) {
      case "run":
        return this.#begin(message);
      case "pulse":
        return this.#ports.send({ t: "pulse" });
      case "abort":
        return void this.#begun.then(() => this.#runs.get(message.id)?.abort(message.reason));
      case "ok":
        return this.#callerOf(message.call)?.answered(message.call, message.value, message.children);
      case "no":
        return this.#callerOf(message.call)?.refused(message.call, message.error);
    }
  }

  #begin({ id, thread, execution, what }: ToHost & { readonly t: "run" }): void {
    const run = new Run(id, thread, execution, this.#caller);
    this.#runs.set(id, run);
    this.#begun = this.#begun.then(async () => {
      // one after the other: a function that spins keeps all that come behind it from being said to have begun
      this.#ports.send({ t: "begun", id });
      await this.#ports.flushed();
      this.#ports.within(thread.threadId, () => this.#perform(run, what));
    });
  }

  async #perform(run: Run, what: Invocation): Promise<void> {
    let answer: FromHost;
    try {
      const value = await this.#invoke(run, what);
      if (run.isUnsettled) await run.settled();
      answer = { t: "done", id: run.id, ...(what.kind === "handler" ? {} : given(value)) };
    } catch (error) {
      if (run.isUnsettled) await run.settled().catch(() => {});
      answer = this.#failed(run, error);
    }
    run.end("the run is over");
    this.#runs.delete(run.id);
    try {
      this.#ports.send(answer);
    } catch (error) {
      this.#ports.send(
        this.#failed(run, new TypeError(`what ${nameOf(what)} gave is no JSON`, { cause: error })),
      );
    }
  }

  #invoke(run: Run, what: Invocation): unknown {
    const at = { run, definitions: this.#ports.loaded.set };
    const child = what.kind === "hook" && what.child
      ? makeState({ ...at, thread: what.child, isOwn: false })
      : undefined;
    return invoke(this.#ports.loaded.functions, what, {
      own: makeState({ ...at, thread: run.thread, isOwn: true }),
      child,
    });
  }

  #failed(run: Run, error: unknown): FromHost {
    return { t: "failed", id: run.id, error: toWireError(error, this.#ports.folder) };
  }

  readonly #caller: Caller = {
    send: (run, thread, method, args) => {
      const call = ++this.#calls;
      this.#ports.send({ t: "call", call, run: run.id, thread, method, args: args as readonly Json[] });
      this.#callers.set(call, run);
      return call;
    },
  };

  #callerOf(call: number): Run | undefined {
    const run = this.#callers.get(call);
    this.#callers.delete(call);
    return run;
  }
}

/** What a function gave; a handler has no channel back but its thread (seed §7), so there it is nothing. */
function given(value: unknown): { readonly value?: Json } {
  return value === undefined ? {} : { value: value as Json };
}

function nameOf(what: Invocation): string {
  return `the ${what.kind} ${what.kind === "hook" ? what.id : what.name}`;
}
