import { type Clock, type Deferred, deferred, errorText, isObject, type Logger, utf8 } from "../base/mod.ts";
import {
  fileSize,
  freeBeginning,
  readFrom,
  readTextIfThere,
  removeQuietly,
  replaceFile,
  touchFile,
} from "../platform/mod.ts";
import type { RedactingStream } from "../secrets/mod.ts";
import type { SessionLog } from "./session_log.ts";
import { wholeCharacters } from "./utf8.ts";

/** What a {@linkcode LogPump} needs. */
export interface LogPumpOptions {
  /** The file that the program writes: its own words, secrets and all; gone when the session has ended. */
  readonly output: string;
  /** Where it is remembered how much has been taken over, for a later daemon. */
  readonly checkpoint: string;
  readonly log: SessionLog;
  readonly redact: RedactingStream;
  readonly clock: Clock;
  readonly report: Logger;
}

const CHUNK = 64 * 1024;
/** How much may wait to be carried over, and how much of it is kept when it is more. */
const BACKLOG = { most: 64 * 1024 * 1024, kept: 8 * 1024 * 1024 } as const;
const FREE_EVERY = 1024 * 1024;
const SHORTEST_PAUSE = 10;
const LONGEST_PAUSE = 160;

/**
 * Carries what a program prints into the session's log, without secrets. The program writes a file of its own, so it
 * goes on when the daemon does not; what was carried over is given back to the disk.
 */
export class LogPump {
  readonly #options: LogPumpOptions;
  #taken: number;
  #unshown = "";
  #over = false;
  #remembered: number;
  #freed = 0;
  #failing = false;
  #pause = SHORTEST_PAUSE;
  #state: "running" | "ending" | "closed" = "running";
  #wake: Deferred<void> = deferred();
  #grown: Deferred<void> = deferred();
  readonly #done: Promise<void>;

  private constructor(options: LogPumpOptions, taken: number) {
    this.#options = options;
    this.#taken = taken;
    this.#remembered = taken;
    this.#done = this.#run();
  }

  /** Starts at what an earlier daemon left, or at the beginning. */
  static async start(options: LogPumpOptions): Promise<LogPump> {
    await touchFile(options.output);
    const last = readCheckpoint(await readTextIfThere(options.checkpoint));
    await options.log.cutTo(last.log);
    return new LogPump(options, last.output);
  }

  /** Resolves when the log has grown, or the pump has stopped. */
  get grown(): Promise<void> {
    return this.#grown.promise;
  }

  /** The log that is written. */
  get log(): SessionLog {
    return this.#options.log;
  }

  /** Whether nothing more will be carried over. */
  get over(): boolean {
    return this.#over;
  }

  /** Carries the rest over and removes the program's file. */
  async end(): Promise<void> {
    if (this.#state === "running") this.#state = "ending";
    this.#wake.resolve();
    await this.#done;
  }

  /** Stops where it is; a later daemon goes on from there. */
  async close(): Promise<void> {
    this.#state = "closed";
    this.#wake.resolve();
    await this.#done;
  }

  async #run(): Promise<void> {
    while (this.#state !== "closed") {
      const count = await this.#try(() => this.#step());
      if (count > 0) this.#pause = SHORTEST_PAUSE;
      else if (this.#state === "ending") break;
      else await this.#rest();
    }
    await this.#try(() => this.#state === "ending" ? this.#finish() : this.#remember());
    this.#over = true;
    this.#grown.resolve();
  }

  /** Carries one piece over; returns its size. */
  async #step(): Promise<number> {
    const { output, redact } = this.#options;
    await this.#show("");
    const size = await fileSize(output);
    if (size - this.#taken > BACKLOG.most) await this.#leaveOut(size - BACKLOG.kept);
    const bytes = size > this.#taken ? await readFrom(output, this.#taken, CHUNK) : new Uint8Array();
    const whole = bytes.subarray(0, wholeCharacters(bytes));
    this.#taken += whole.length;
    if (whole.length > 0) await this.#show(redact.push(whole));
    if (whole.length === 0 || this.#taken - this.#remembered >= FREE_EVERY) await this.#remember();
    return whole.length;
  }

  /**
   * Passes over what a program prints faster than it can be kept, so that it does not fill the disk. Goes on behind the
   * end of a line, since half a secret would not be known as one.
   */
  async #leaveOut(to: number): Promise<void> {
    const { output, redact, report } = this.#options;
    const from = this.#taken;
    for (let at = to, line = -1; line < 0; at += CHUNK) {
      const bytes = await readFrom(output, at, CHUNK);
      line = bytes.indexOf(0x0a);
      this.#taken = at + (line < 0 ? bytes.length : line + 1);
      if (bytes.length === 0) break;
    }
    report.log("warn", "a session prints faster than its log can take", { bytes: this.#taken - from });
    await this.#show(`${redact.end()}\n[${this.#taken - from} bytes left out here]\n`);
  }

  /** What the disk refuses now is shown before anything that comes later. */
  async #show(text: string): Promise<void> {
    this.#unshown += text;
    if (this.#unshown === "") return;
    await this.#options.log.append(utf8(this.#unshown));
    this.#unshown = "";
    this.#grown.resolve();
    this.#grown = deferred();
  }

  /** A later daemon goes on from here. What is held back as the possible beginning of a secret is not yet past. */
  async #remember(): Promise<void> {
    const { checkpoint, log, output, redact } = this.#options;
    if (redact.pending || this.#unshown !== "" || this.#taken === this.#remembered) return;
    await replaceFile(checkpoint, JSON.stringify({ output: this.#taken, log: log.end }));
    this.#remembered = this.#taken;
    if (this.#taken - this.#freed < FREE_EVERY) return;
    this.#freed = this.#taken;
    await freeBeginning(output, this.#taken);
  }

  async #finish(): Promise<number> {
    const { output, checkpoint, redact } = this.#options;
    const rest = await readFrom(output, this.#taken, Math.max(0, await fileSize(output) - this.#taken));
    this.#taken += rest.length;
    await this.#show(redact.push(rest) + redact.end());
    await removeQuietly(output);
    await removeQuietly(checkpoint);
    return 0;
  }

  async #rest(): Promise<void> {
    const { clock } = this.#options;
    const forget = clock.after(this.#pause, () => this.#wake.resolve());
    await this.#wake.promise;
    forget();
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
    if (this.#state === "running") this.#wake = deferred();
  }

  /** A failure is tried again later and told once. */
  async #try(work: () => Promise<number | void>): Promise<number> {
    try {
      const count = await work() ?? 0;
      if (count > 0) this.#failing = false;
      return count;
    } catch (error) {
      const fields = { reason: errorText(error) };
      if (!this.#failing) this.#options.report.log("error", "a session's log could not be written", fields);
      this.#failing = true;
      this.#pause = LONGEST_PAUSE;
      return 0;
    }
  }
}

function readCheckpoint(text: string | undefined): { readonly output: number; readonly log: number } {
  const value: unknown = text ? JSON.parse(text) : {};
  if (!isObject(value) || typeof value.output !== "number" || typeof value.log !== "number") {
    return { output: 0, log: 0 };
  }
  return { output: value.output, log: value.log };
}
