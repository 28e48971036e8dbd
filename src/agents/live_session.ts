import type { Logger } from "../base/mod.ts";
import { errorText } from "../base/mod.ts";
import { removeQuietly } from "../platform/mod.ts";
import type { Sandbox, SandboxExit } from "../sandbox/mod.ts";
import type { SessionChange, SessionRecord } from "../store/mod.ts";
import type { LogPump } from "./log_pump.ts";
import type { SessionPlaces } from "./places.ts";
import type { OpenServices } from "./ports.ts";

/** What a running session holds. */
export interface LiveParts {
  readonly record: SessionRecord;
  readonly places: SessionPlaces;
  readonly services: OpenServices | undefined;
  /** undefined for a session without a process. */
  readonly process: { readonly sandbox: Sandbox; readonly pump: LogPump } | undefined;
  readonly log: Logger;
  /** Told once, when all is over, with what is to be recorded. */
  ended(change: SessionChange): void;
}

/** A session that has not ended: its process, its sockets and its log. */
export class LiveSession {
  readonly #parts: LiveParts;
  readonly #done = Promise.withResolvers<void>();
  /** Once it is over for this daemon, one way or the other. */
  #leaving = false;

  constructor(parts: LiveParts) {
    this.#parts = parts;
    void parts.process?.sandbox.exited.then((exit) => this.#end(howItEnded(exit)));
  }

  get id(): string {
    return this.#parts.record.id;
  }

  get agent(): string {
    return this.#parts.record.agent;
  }

  get places(): SessionPlaces {
    return this.#parts.places;
  }

  get pump(): LogPump | undefined {
    return this.#parts.process?.pump;
  }

  get services(): OpenServices | undefined {
    return this.#parts.services;
  }

  /** Resolves when the session has ended and that is recorded, or this daemon let it go. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  /** Asks the program to end, kills it after `graceMs`; resolves when all is over. */
  async stop(graceMs: number): Promise<void> {
    const { process } = this.#parts;
    if (process) await process.sandbox.stop(graceMs);
    else void this.#end({ state: "stopped", exitCode: null, reason: null });
    await this.done;
  }

  /** Lets the program run on alone; a later daemon takes it over. */
  async detach(): Promise<void> {
    if (!this.#leaving) {
      this.#leaving = true;
      await this.#parts.process?.pump.close();
      await this.#closeServices();
      this.#done.resolve();
    }
    await this.done;
  }

  async #end(change: SessionChange): Promise<void> {
    if (this.#leaving) return;
    this.#leaving = true;
    const { process, places } = this.#parts;
    await process?.pump.end();
    await this.#closeServices();
    await removeQuietly(places.run);
    this.#parts.ended(change);
    this.#done.resolve();
  }

  async #closeServices(): Promise<void> {
    const { services, log } = this.#parts;
    await services?.close().catch((error) => {
      log.log("warn", "a session's sockets did not close", { session: this.id, reason: errorText(error) });
    });
  }
}

const LIMIT_WORDS = { memory: "it went over its memory limit", time: "it went over its time limit" } as const;

/** What is recorded of a program that is not there any more and left no word. */
export const LOST: SessionChange = {
  state: "lost",
  exitCode: null,
  reason: "it ended while no daemon watched",
};

/** What is recorded of a program that has ended. */
export function howItEnded({ code, reason }: SandboxExit): SessionChange {
  switch (reason) {
    case "exited":
      return { state: "exited", exitCode: code, reason: null };
    case "stopped":
      return { state: "stopped", exitCode: code, reason: null };
    case "memory":
    case "time":
      return { state: "failed", exitCode: code, reason: LIMIT_WORDS[reason] };
    case "lost":
      return LOST;
  }
}
