import { errorText, HandlerError, singleFlight } from "../base/mod.ts";
import { removeAll, statIfThere, writeFifo } from "../platform/mod.ts";
import type { SessionChange, SessionRecord } from "../store/mod.ts";
import { followLog } from "./attach.ts";
import { agentProblems, findAgent } from "./check.ts";
import { LiveSession } from "./live_session.ts";
import { selectionOf } from "./selection.ts";
import { isOpen, type Session, toSession } from "./session.ts";
import { type LogPiece, SessionLog } from "./session_log.ts";
import { type AgentsOptions, type RunOptions, Starter } from "./start.ts";

/** How long a program gets to end by itself when it is stopped, in milliseconds. */
const STOP_GRACE_MS = 5000;

/** Where the clients of an external agent find its sockets. */
export interface ExternalServices {
  readonly session: Session;
  /** The host folder with `<interface>.sock` for each service. */
  readonly folder: string;
  /** Interface names. */
  readonly services: readonly string[];
}

/** The agents and their sessions (contract B). */
export interface Agents {
  /** Everything that keeps an agent from starting (contracts B.4, G.3). @throws {HandlerError} `not_found` */
  problems(agent: string): Promise<readonly HandlerError[]>;
  /** Starts a session. @throws {HandlerError} a `ProblemList` where there is more than one reason that it cannot */
  run(agent: string, options: RunOptions): Promise<Session>;
  /** The sockets of an agent of harness `external`, opened where they are not; they stay until the session is stopped. */
  external(agent: string): Promise<ExternalServices>;
  /** The newest first; those that have not ended, or all. */
  list(options: { readonly all: boolean }): readonly Session[];
  /** By its id, or a part of it that fits no other. @throws {HandlerError} `not_found`, `conflict` */
  get(id: string): Session;
  /** Resolves with the session once it has ended. */
  wait(id: string): Promise<Session>;
  /** Asks the program to end, kills it after a grace; one that has ended is as it was. */
  stop(id: string): Promise<Session>;
  /**
   * The log, secrets replaced, from an offset in bytes on (or from the first byte that is still kept); with `follow`
   * until the session ends or the signal aborts.
   */
  attach(
    id: string,
    options: { readonly offset: number; readonly follow: boolean; readonly signal?: AbortSignal },
  ): AsyncIterable<LogPiece>;
  /** Writes to the program's input. @throws {HandlerError} `conflict` where it has none or does not take it */
  write(id: string, bytes: Uint8Array): Promise<void>;
  /** The handles of sandboxes that the drivers must not reap; asked before `resume`. */
  handlesToKeep(): readonly string[];
  /** Takes over what an earlier daemon started; returns how many sessions go on. */
  resume(): Promise<number>;
  /** Forgets sessions that ended so many days ago, with their logs; returns how many. */
  prune(keepDays: number): Promise<number>;
  /** Lets the sessions run on alone, for a later daemon. */
  close(): Promise<void>;
}

/** The agents of one daemon. */
export function createAgents(options: AgentsOptions): Agents {
  return new SessionRegistry(options);
}

class SessionRegistry implements Agents {
  readonly #options: AgentsOptions;
  readonly #starter: Starter;
  readonly #live = new Map<string, LiveSession>();
  readonly #opening = new Map<string, () => Promise<ExternalServices>>();
  #closed = false;

  constructor(options: AgentsOptions) {
    this.#options = options;
    this.#starter = new Starter(options, (id, change) => this.#ended(id, change));
  }

  problems(agent: string): Promise<readonly HandlerError[]> {
    return agentProblems(this.#options.configuration(), agent, this.#options);
  }

  async run(agent: string, run: RunOptions): Promise<Session> {
    if (this.#closed) {
      throw new HandlerError("conflict", `the agent ${agent} was not started: handlerd is stopping`);
    }
    const { agent: found } = findAgent(this.#options.configuration(), agent);
    if (found.harness === "external") {
      throw new HandlerError(
        "usage",
        `the agent ${agent} is external: it is run by its own client, not by Handler`,
        {
          hint: `handler connect ${agent} makes the entry for the client`,
        },
      );
    }
    return this.get(this.#keep(await this.#starter.start(agent, run)).id);
  }

  external(agent: string): Promise<ExternalServices> {
    let open = this.#opening.get(agent);
    if (!open) this.#opening.set(agent, open = singleFlight(() => this.#external(agent)));
    return open();
  }

  async #external(agent: string): Promise<ExternalServices> {
    const { agent: found, project } = findAgent(this.#options.configuration(), agent);
    if (found.harness !== "external") {
      throw new HandlerError(
        "usage",
        `the agent ${agent} has the harness ${found.harness}: it is run by Handler`,
        {
          hint: `start it with: handler run ${agent}`,
        },
      );
    }
    const open = [...this.#live.values()].find((session) => session.agent === agent);
    const session = open && serves(open, selectionOf(project, found))
      ? open
      : await this.#reopen(agent, open);
    const services = session.services?.interfaces.map(({ name }) => name) ?? [];
    return { session: this.get(session.id), folder: session.places.services, services };
  }

  /** Sockets are opened as a whole: an agent that selects another interface gets a new session. */
  async #reopen(agent: string, old: LiveSession | undefined): Promise<LiveSession> {
    const fresh = await this.#starter.start(agent, {});
    await old?.stop(0);
    return this.#keep(fresh);
  }

  list({ all }: { readonly all: boolean }): readonly Session[] {
    const { sessions } = this.#options.store;
    return sessions.list(all ? {} : { states: ["starting", "running"] }).map(toSession);
  }

  get(id: string): Session {
    return toSession(this.#record(id));
  }

  async wait(id: string): Promise<Session> {
    const { id: whole } = this.#record(id);
    await this.#live.get(whole)?.done;
    return this.get(whole);
  }

  async stop(id: string): Promise<Session> {
    const { id: whole } = this.#record(id);
    await this.#live.get(whole)?.stop(STOP_GRACE_MS);
    return this.get(whole);
  }

  async *attach(
    id: string,
    { offset, follow, signal }: {
      readonly offset: number;
      readonly follow: boolean;
      readonly signal?: AbortSignal;
    },
  ): AsyncGenerator<LogPiece> {
    const { id: whole, logPath } = this.#record(id);
    if (logPath === null) {
      throw new HandlerError("conflict", `the session ${whole} is external and has no log`);
    }
    const pump = this.#live.get(whole)?.pump;
    yield* followLog(pump?.log ?? await SessionLog.open(logPath), offset, follow ? pump : undefined, signal);
  }

  async write(id: string, bytes: Uint8Array): Promise<void> {
    const { id: whole } = this.#record(id);
    const session = this.#live.get(whole);
    if (!session) throw new HandlerError("conflict", `the session ${whole} has ended`);
    if (!await statIfThere(session.places.stdin)) {
      throw new HandlerError("conflict", `the session ${whole} takes no input`, {
        hint: "a session that is started without a prompt takes input",
      });
    }
    await writeFifo(session.places.stdin, bytes);
  }

  handlesToKeep(): readonly string[] {
    return this.#openRecords().flatMap(({ handle }) => handle ?? []);
  }

  async resume(): Promise<number> {
    for (const record of this.#openRecords()) await this.#resume(record);
    return this.#live.size;
  }

  async #resume(record: SessionRecord): Promise<void> {
    try {
      const session = await this.#starter.takeOver(record);
      if (session instanceof LiveSession) this.#keep(session);
      else this.#ended(record.id, session);
    } catch (error) {
      this.#options.log.log("error", "a session could not be taken over", {
        session: record.id,
        reason: errorText(error),
      });
      this.#ended(record.id, { state: "lost", exitCode: null, reason: "it could not be taken over" });
    }
  }

  async prune(keepDays: number): Promise<number> {
    const { store, clock } = this.#options;
    const all = store.sessions.list({ limit: 10_000 });
    const before = saneNow(clock.now(), all) - keepDays * 24 * 60 * 60 * 1000;
    const old = all
      .filter((session) => !isOpen(session) && session.endedAt !== null && session.endedAt < before);
    for (const { id, logPath } of old) {
      if (logPath !== null) await removeAll(logPath);
      store.sessions.remove(id);
    }
    return old.length;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#live.values()].map((session) => session.detach()));
    this.#live.clear();
  }

  #keep(session: LiveSession): LiveSession {
    this.#live.set(session.id, session);
    void session.done.then(() => this.#live.delete(session.id));
    return session;
  }

  #openRecords(): readonly SessionRecord[] {
    return this.#options.store.sessions.list({ states: ["starting", "running"], limit: 10_000 });
  }

  /** A full disk must not keep a session from being over. */
  #ended(id: string, change: SessionChange): void {
    const { store, clock, log } = this.#options;
    try {
      store.sessions.update(id, { endedAt: clock.now(), ...change });
    } catch (error) {
      log.log("error", "the end of a session could not be recorded", {
        session: id,
        reason: errorText(error),
      });
    }
  }

  #record(id: string): SessionRecord {
    const { sessions } = this.#options.store;
    const exact = sessions.get(id);
    if (exact) return exact;
    const fitting = id === "" ? [] : sessions.list({ limit: 10_000 }).filter((one) => one.id.includes(id));
    if (fitting.length === 1) return fitting[0]!;
    if (fitting.length === 0) {
      throw new HandlerError("not_found", `there is no session ${JSON.stringify(id)}`);
    }
    throw new HandlerError("conflict", `${fitting.length} sessions fit ${JSON.stringify(id)}`);
  }
}

/** A clock that jumps ahead must not cost logs: now is the middle one of the last sessions' times, or earlier. */
function saneNow(now: number, newestFirst: readonly SessionRecord[]): number {
  const times = newestFirst.slice(0, 11).map(({ startedAt }) => startedAt).sort((a, b) => a - b);
  return Math.min(now, times[Math.floor(times.length / 2)] ?? now);
}

/** Whether a session has a socket for each selected interface, and no other. */
function serves({ services }: LiveSession, selection: Readonly<Record<string, readonly string[]>>): boolean {
  const open = services?.interfaces.map(({ name }) => name) ?? [];
  const wanted = Object.keys(selection).filter((name) => selection[name]?.length);
  return open.length === wanted.length && wanted.every((name) => open.includes(name));
}
