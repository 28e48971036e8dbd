import { type Clock, deferred, errorText, HandlerError, isObject, type Json } from "../../base/mod.ts";
import {
  type ByteStream,
  type ExecutionSnapshot,
  type FromHost,
  type Invocation,
  JsonLines,
  type ThreadSnapshot,
  type ToHost,
  type WireError,
} from "../../wire/mod.ts";
import { HostFailure, type HostRun, type StateAnswer, type StateCall } from "../ports.ts";

/** The longest message from a host, in bytes; a file's content travels in one. */
const MAX_MESSAGE_BYTES = 128 * 1024 * 1024;
/** Nothing more is read from a host while so much waits for it to be read. */
const MOST_BACKLOG = 16 * 1024 * 1024;
/** What the functions of one host may have asked and not been answered at a time. */
const MOST_CALLS = 10_000;
/** A function has this long to end after it was asked to. */
const ABORT_GRACE_MS = 5_000;

/** The first message of a host. */
export type Ready = FromHost & { readonly t: "ready" };

/** What a link tells whoever holds it. */
export interface LinkPorts {
  readonly clock: Clock;
  /** A function did not end after it was asked to. */
  stuck(): void;
  /** The last run has ended. */
  rests(): void;
}

interface RunUnderWay {
  readonly origin: string;
  /** What tells its turn from others; runs outside of turns are each on their own. */
  readonly turn: string | number;
  readonly answer: (call: StateCall) => Promise<StateAnswer> | StateAnswer;
  readonly settle: (outcome: Json | undefined | HostFailure) => void;
  /** Whether its function may have been called. */
  begun: boolean;
  aborted: boolean;
  forgetGrace: (() => void) | undefined;
}

/** The connection to a host: many runs at once over one stream. */
export class HostLink {
  /** What the host loaded. @throws {HandlerError} where the stream ended before it told */
  readonly ready: Promise<Ready>;
  /** Resolves with the reason once the stream is over; runs under way are the holder's to {@linkcode fail}. */
  readonly ended: Promise<string>;
  readonly #ports: LinkPorts;
  readonly #lines: JsonLines;
  readonly #runs = new Map<number, RunUnderWay>();
  readonly #ready = deferred<Ready>();
  #isReady = false;
  #count = 0;
  #asking = 0;
  #heard = 0;
  #canHear = true;
  /** Why nothing runs any more. */
  #over: HostFailure | undefined;

  constructor(stream: ByteStream, ports: LinkPorts) {
    this.#ports = ports;
    this.ready = this.#ready.promise;
    const broken = deferred<string>();
    this.#lines = new JsonLines(stream, MAX_MESSAGE_BYTES, (error) => broken.resolve(errorText(error)));
    const read = this.#lines.receive((message) => this.#take(message));
    this.ended = Promise.race([read.then(() => "it closed the connection", errorText), broken.promise]);
    void this.ended.then((why) => this.#ready.reject(new HandlerError("unavailable", why)));
  }

  /** Runs under way. */
  get running(): number {
    return this.#runs.size;
  }

  /** How many turns, and runs outside of turns, have begun in it and not ended. */
  get turnsBegun(): number {
    return new Set([...this.#runs.values()].filter(({ begun }) => begun).map(({ turn }) => turn)).size;
  }

  /** How many messages have come from it. */
  get heard(): number {
    return this.#heard;
  }

  /** Whether what it says is read now. */
  get canHear(): boolean {
    return this.#canHear;
  }

  /** Asks for a word. */
  pulse(): void {
    this.#send({ t: "pulse" });
  }

  run(
    what: Invocation,
    thread: ThreadSnapshot,
    execution: ExecutionSnapshot | null,
    answer: RunUnderWay["answer"],
  ): HostRun {
    const id = ++this.#count;
    const { promise, resolve, reject } = deferred<Json | undefined>();
    if (this.#over) {
      reject(this.#over);
      return { outcome: promise, abort() {} };
    }
    const settle: RunUnderWay["settle"] = (outcome) =>
      outcome instanceof HostFailure ? reject(outcome) : resolve(outcome);
    const turn = execution?.flowId ?? id;
    const state = { begun: false, aborted: false, forgetGrace: undefined };
    this.#runs.set(id, { origin: thread.threadId, turn, answer, settle, ...state });
    this.#send({ t: "run", id, thread, execution, what });
    return { outcome: promise, abort: (reason) => this.#abort(id, reason) };
  }

  #abort(id: number, reason: string): void {
    const run = this.#runs.get(id);
    if (!run || run.aborted) return;
    run.aborted = true;
    this.#send({ t: "abort", id, reason });
    run.forgetGrace = this.#ports.clock.after(ABORT_GRACE_MS, () => this.#ports.stuck());
  }

  /** Ends every run under way, and those that are still to come, as interrupted. */
  fail(error: WireError): void {
    const failure = new HostFailure("interrupted", error);
    this.#end(failure, failure);
  }

  /** Ends what has begun so; what has not, and what is still to come, is for another host to run. */
  cut(error: WireError, kind: "interrupted" | "spun"): void {
    this.#end(new HostFailure(kind, error), new HostFailure("not_begun", error));
  }

  #end(begun: HostFailure, others: HostFailure): void {
    this.#over ??= others;
    for (const [id, run] of [...this.#runs]) this.#settle(id, run.begun ? begun : others);
  }

  #settle(id: number, outcome: Json | undefined | HostFailure): void {
    const run = this.#runs.get(id);
    if (!run) return;
    this.#runs.delete(id);
    run.forgetGrace?.();
    run.settle(outcome);
    if (this.#runs.size === 0) this.#ports.rests();
  }

  #send(message: ToHost): void {
    this.#lines.send(message);
  }

  /** A host runs a project's own code, so nothing that it says is taken on trust. */
  #take(message: unknown): void | Promise<void> {
    if (!isObject(message)) throw new Error("a thread host sends objects alone");
    this.#heard++;
    switch (message["t"]) {
      case "ready":
        if (this.#isReady) throw new Error("a thread host is ready once");
        this.#isReady = true;
        this.#ready.resolve(message as unknown as Ready);
        break;
      case "pulse":
        break;
      case "begun":
        this.#begun(message["id"]);
        break;
      case "done":
        this.#settle(Number(message["id"]), message["value"] as Json | undefined);
        break;
      case "failed":
        this.#settle(Number(message["id"]), new HostFailure("thrown", wireError(message["error"])));
        break;
      case "call":
        this.#begun(message["run"]);
        this.#answer(message);
        break;
      default:
        throw new Error(`a thread host sends no ${JSON.stringify(message["t"])}`);
    }
    if (this.#lines.backlog > MOST_BACKLOG) return this.#flushed();
  }

  async #flushed(): Promise<void> {
    this.#canHear = false;
    await this.#lines.flushed();
    this.#canHear = true;
  }

  #begun(id: unknown): void {
    const run = this.#runs.get(Number(id));
    if (run) run.begun = true;
  }

  #answer(message: { readonly [key: string]: unknown }): void {
    const call = Number(message["call"]);
    const run = this.#runs.get(Number(message["run"]));
    const refuse = (error: unknown) => this.#send({ t: "no", call, error: refusal(error) });
    const accept = ({ value, children }: StateAnswer) =>
      this.#send({
        t: "ok",
        call,
        ...(value === undefined ? {} : { value }),
        ...(children ? { children } : {}),
      });
    const { thread, method, args } = message;
    if (typeof thread !== "string" || typeof method !== "string" || !Array.isArray(args)) {
      return refuse(new Error("a call names a thread, a method and a list of arguments"));
    }
    if (!run || run.aborted) return refuse(new Error(`${method} was asked too late: the run is over`));
    if (this.#asking >= MOST_CALLS) return refuse(new Error(`more than ${MOST_CALLS} calls at once`));
    try {
      const answer = run.answer({ origin: run.origin, thread, method, args });
      if (!(answer instanceof Promise)) return accept(answer);
      this.#asking++;
      answer.then(accept, refuse).finally(() => this.#asking--);
    } catch (error) {
      refuse(error);
    }
  }
}

/** An error of the daemon's for the code that asked: what happened and what may help, no stack. */
function refusal(error: unknown): WireError {
  const { code } = error as { readonly code?: unknown };
  const name = error instanceof Error ? error.name : "Error";
  if (!(error instanceof HandlerError)) {
    return { name, message: errorText(error), ...(typeof code === "string" ? { code } : {}) };
  }
  const message = error.hint === undefined ? error.message : `${error.message} (${error.hint})`;
  return { name, message, code: typeof code === "string" ? code : error.kind };
}

function wireError(value: unknown): WireError {
  const given = isObject(value) ? value : {};
  const { name, message, stack, code, block } = given;
  return {
    name: typeof name === "string" ? name : "Error",
    message: typeof message === "string" ? message : "the function failed without a word",
    ...(typeof stack === "string" ? { stack } : {}),
    ...(typeof code === "string" ? { code } : {}),
    ...(block === true ? { block } : {}),
  };
}
