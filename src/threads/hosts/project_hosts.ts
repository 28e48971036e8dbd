import { asHandlerError, HandlerError, ProblemList } from "../../base/mod.ts";
import type { DefinitionProblem } from "../../wire/mod.ts";
import { agentsMark } from "./agents_folder.ts";
import { Holders } from "./holders.ts";
import type { LiveHost } from "./live_host.ts";
import type { ThreadHostsPorts } from "./ports.ts";
import { RetiredHosts } from "./retired.ts";
import { startHost } from "./start_host.ts";

/**
 * The definitions on disk are looked at this often at most, and for at most a fiftieth of the time: less often, and a
 * message that is sent by a script right after a change would still meet the old ones.
 */
const LOOK_MS = 20;
const LOOK_SHARE = 50;
const LONGEST_BACKOFF_MS = 60_000;
/** A host that died sooner than this after its start counts as crashed at the start. */
const SETTLED_MS = 10_000;

/** A start that came to nothing, and what the definitions looked like. */
interface Failure {
  readonly mark: string | undefined;
  readonly error: HandlerError;
  /** On the clock that only grows: not tried again before, unless the definitions change. */
  readonly until: number;
}

/** The hosts of one project: the newest, and older ones that finish their work. */
export class ProjectHosts {
  readonly #project: string;
  readonly #ports: ThreadHostsPorts;
  readonly #holders = new Holders();
  readonly #retired: RetiredHosts;
  #live: LiveHost | undefined;
  #starting: Promise<LiveHost> | undefined;
  #failure: Failure | undefined;
  /** Starts that failed and hosts that died soon, one after the other. */
  #failures = 0;
  #notBefore = 0;
  #nextLook = 0;
  /** When the host was last asked for. */
  #touched = 0;
  #forgetIdle: (() => void) | undefined;
  #closed = false;

  constructor(project: string, ports: ThreadHostsPorts) {
    this.#project = project;
    this.#ports = ports;
    this.#retired = new RetiredHosts(ports.clock, this.#holders);
  }

  /** The newest host, if it is up and its definitions are those on disk. */
  current(): LiveHost | undefined {
    const now = this.#touched = this.#ports.clock.monotonic();
    if (!this.#live?.isUp || this.#starting) return undefined;
    if (now < this.#nextLook || !this.#hasChanged(this.#live)) return this.#live;
    this.#start().catch(() => {}); // said to whoever asks for it
    return undefined;
  }

  /** The newest host, started where there is none or where the definitions have changed. */
  async get(): Promise<LiveHost> {
    return this.current() ?? await this.#start();
  }

  use(): () => void {
    return this.#holders.hold(() => {
      this.#touched = this.#ports.clock.monotonic();
      this.#retired.look();
      this.#armIdle();
    });
  }

  #hasChanged(live: LiveHost): boolean {
    const { clock } = this.#ports;
    const from = clock.monotonic();
    const folder = this.#ports.projectFolder(this.#project);
    const mark = folder === undefined ? undefined : markIfThere(folder);
    const now = clock.monotonic();
    this.#nextLook = now + Math.max(LOOK_MS, (now - from) * LOOK_SHARE);
    return mark !== undefined && mark !== live.mark; // a folder that is being replaced is not there for a moment
  }

  #start(): Promise<LiveHost> {
    return this.#starting ??= this.#startNow().finally(() => {
      this.#starting = undefined;
      this.#armIdle();
    });
  }

  async #startNow(): Promise<LiveHost> {
    if (this.#closed) throw stopping();
    const folder = this.#folder();
    const mark = markIfThere(folder);
    this.#throwKnown(mark);
    await this.#backOff();
    try {
      const host = await startHost(this.#ports, {
        project: this.#project,
        folder,
        rests: () => this.#retired.look(),
      });
      if (this.#closed) {
        await host.end();
        throw stopping();
      }
      return this.#judged(host);
    } catch (error) {
      return this.#failed(mark, asHandlerError(error));
    }
  }

  #folder(): string {
    const folder = this.#ports.projectFolder(this.#project);
    if (folder !== undefined) return folder;
    throw new HandlerError("not_found", `there is no project "${this.#project}"`, {
      hint: "handler project list",
    });
  }

  /** What failed is not tried again at once, unless something else is there now. */
  #throwKnown(mark: string | undefined): void {
    const failure = this.#failure;
    if (!failure || failure.mark !== mark || this.#ports.clock.monotonic() >= failure.until) return;
    throw failure.error;
  }

  async #backOff(): Promise<void> {
    const { clock } = this.#ports;
    const wait = this.#notBefore - clock.monotonic();
    if (wait > 0) await new Promise<void>((over) => clock.after(wait, over));
  }

  /** Takes a host whose definitions are right in the place of the one before. */
  #judged(host: LiveHost): LiveHost {
    const errors = host.problems.filter(({ severity }) => severity === "error");
    if (errors.length > 0) {
      void host.end();
      throw new WrongDefinitions(this.#project, host.mark, errors);
    }
    this.#failure = undefined;
    const before = this.#live;
    this.#live = host;
    if (before?.isUp) {
      this.#ports.log.log("info", `the definitions of ${this.#project} were read again`);
      this.#retired.add(before);
    }
    void host.over.then((how) => this.#over(host, how));
    return host;
  }

  /** Where a host is up it stays, whatever has become of its definitions on disk; else the failure is the caller's. */
  #failed(mark: string | undefined, error: HandlerError): LiveHost {
    const wrong = error instanceof WrongDefinitions ? error : undefined;
    this.#ports.log.log("warn", error.toString(), { project: this.#project });
    const live = this.#live;
    if (live?.isUp && mark !== undefined) {
      live.mark = wrong?.mark ?? mark;
      live.laterProblems = wrong?.found ?? [];
      return live;
    }
    const until = wrong ? Infinity : this.#ports.clock.monotonic() + this.#pause();
    this.#failure = { mark: wrong?.mark ?? mark, error, until };
    throw error;
  }

  #over(host: LiveHost, how: "crashed" | "ended"): void {
    if (this.#live === host) this.#live = undefined;
    const { clock, log } = this.#ports;
    const lived = clock.monotonic() - host.startedAt;
    if (lived >= SETTLED_MS) this.#failures = 0;
    if (how === "ended") return;
    log.log("warn", `the thread host of ${this.#project} died`, { livedMs: Math.round(lived) });
    if (lived < SETTLED_MS) this.#notBefore = clock.monotonic() + this.#pause();
  }

  /** How long to wait after one more failure: not at all after the first. */
  #pause(): number {
    return ++this.#failures < 2 ? 0 : Math.min(LONGEST_BACKOFF_MS, 1000 * 2 ** (this.#failures - 2));
  }

  /** One timer for as long as the host is up, whatever comes and goes. */
  #armIdle(): void {
    if (this.#forgetIdle || !this.#live || this.#holders.isHeld) return;
    const { clock } = this.#ports;
    const left = Math.max(1, this.#touched + this.#ports.idleMs() - clock.monotonic());
    this.#forgetIdle = clock.after(left, () => {
      this.#forgetIdle = undefined;
      const live = this.#live;
      if (!live || this.#starting || this.#holders.isHeld || live.running > 0) return;
      if (clock.monotonic() < this.#touched + this.#ports.idleMs()) return this.#armIdle();
      this.#live = undefined;
      void live.end();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#forgetIdle?.();
    await this.#starting?.catch(() => {});
    await Promise.all([this.#live?.end(), this.#retired.close()]);
  }
}

/** Definitions that cannot run, every problem of theirs (contract: all at once). */
export class WrongDefinitions extends ProblemList {
  readonly mark: string;
  readonly found: readonly DefinitionProblem[];

  constructor(project: string, mark: string, found: readonly DefinitionProblem[]) {
    super(`the definitions of ${project}`, found.map(problemError));
    this.mark = mark;
    this.found = found;
  }
}

function problemError({ file, path, message, line, column }: DefinitionProblem): HandlerError {
  const where = {
    file,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(path === "" ? {} : { key: path }),
  };
  return new HandlerError("invalid", message, { where });
}

function stopping(): HandlerError {
  return new HandlerError("unavailable", "handlerd is stopping");
}

function markIfThere(folder: string): string | undefined {
  try {
    return agentsMark(folder);
  } catch {
    return undefined;
  }
}
