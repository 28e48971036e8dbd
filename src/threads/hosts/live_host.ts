import type { Clock } from "../../base/mod.ts";
import type { SandboxExit } from "../../sandbox/mod.ts";
import type {
  DefinitionProblem,
  DefinitionSet,
  ExecutionSnapshot,
  Invocation,
  ThreadSnapshot,
  WireError,
} from "../../wire/mod.ts";
import type { HostRun, StateAnswer, StateCall, ThreadHost } from "../ports.ts";
import type { HostLink } from "./link.ts";
import { type Pulse, spinError } from "./pulse.ts";

/** What a host that is up is made of. */
export interface LiveHostParts {
  readonly clock: Clock;
  readonly link: HostLink;
  readonly pulse: Pulse;
  readonly definitions: DefinitionSet;
  readonly problems: readonly DefinitionProblem[];
  /** What its definitions looked like on disk when it was started. */
  readonly mark: string;
  readonly exited: Promise<SandboxExit>;
  /** Ends the process and takes down what it had; asked once. */
  end(graceMs: number): Promise<void>;
  /** The end of its log. */
  lastWords(): string;
}

/** How long a host whose connection has ended is waited for, to know why. */
const EXIT_WAIT_MS = 1_000;
/** A host that is not needed any more has this long to end by itself. */
const END_GRACE_MS = 1_000;

/** A thread host that is up, until it is over. */
export class LiveHost implements ThreadHost {
  readonly definitions: DefinitionSet;
  readonly startedAt: number;
  /** Resolves once it is over: whether somebody here ended it. */
  readonly over: Promise<"crashed" | "ended">;
  /** What its definitions look like on disk now, as far as that has been looked at and judged. */
  mark: string;
  /** What keeps later definitions from taking its place. */
  laterProblems: readonly DefinitionProblem[] = [];
  readonly #parts: LiveHostParts;
  #ending: Promise<void> | undefined;
  #isUp = true;

  constructor(parts: LiveHostParts) {
    this.#parts = parts;
    this.definitions = parts.definitions;
    this.mark = parts.mark;
    this.startedAt = parts.clock.monotonic();
    this.over = this.#watch();
  }

  /** Its own, then those of later definitions that did not take its place. */
  get problems(): readonly DefinitionProblem[] {
    return [...this.#parts.problems, ...this.laterProblems];
  }

  /** Whether anything can still run in it. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Runs under way. */
  get running(): number {
    return this.#parts.link.running;
  }

  run(
    what: Invocation,
    thread: ThreadSnapshot,
    execution: ExecutionSnapshot | null,
    answer: (call: StateCall) => Promise<StateAnswer> | StateAnswer,
  ): HostRun {
    const { link, pulse } = this.#parts;
    if (this.#isUp) pulse.watch();
    return link.run(what, thread, execution, answer);
  }

  kill(reason: string): void {
    this.#over();
    this.#parts.link.cut(interrupted(`the thread host was ended: ${reason}`), "interrupted");
    void this.#end(0);
  }

  /** Ends it because a function in it spins: its turn's fault where there is one, nobody can know whose where there are more. */
  spins(limitMs: number): void {
    const { link } = this.#parts;
    const turns = link.turnsBegun;
    this.#over();
    link.cut(spinError(turns, limitMs), turns === 1 ? "spun" : "interrupted");
    void this.#end(0);
  }

  /** Ends it in peace; nothing may run in it any more. */
  async end(): Promise<void> {
    this.#fail("the thread host was ended");
    await this.#end(END_GRACE_MS);
  }

  async #watch(): Promise<"crashed" | "ended"> {
    const { link, lastWords } = this.#parts;
    const why = await link.ended;
    if (this.#ending) return await this.#ending.then(() => "ended");
    this.#isUp = false;
    const exit = await this.#exit();
    const how = exit ? `it ended with ${exit.code} (${exit.reason})` : why;
    const words = lastWords();
    this.#fail(`the thread host died: ${how}${words === "" ? "" : `\n${words}`}`);
    await this.#end(0);
    return "crashed";
  }

  /** How the process ended, as far as that is known soon. */
  async #exit(): Promise<SandboxExit | undefined> {
    const { exited, clock } = this.#parts;
    let forget = () => {};
    const late = new Promise<undefined>((give) => forget = clock.after(EXIT_WAIT_MS, () => give(undefined)));
    return await Promise.race([exited, late]).finally(forget);
  }

  #fail(message: string): void {
    this.#over();
    this.#parts.link.fail(interrupted(message));
  }

  #over(): void {
    this.#isUp = false;
    this.#parts.pulse.stop();
  }

  #end(graceMs: number): Promise<void> {
    return this.#ending ??= this.#parts.end(graceMs);
  }
}

function interrupted(message: string): WireError {
  return { name: "Interrupted", message };
}
