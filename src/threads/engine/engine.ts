import { errorText, HandlerError } from "../../base/mod.ts";
import {
  type Durability,
  type MessageRow,
  type SessionRow,
  type ThreadRow,
  type ThreadWrites,
  type TurnRow,
} from "../../store/mod.ts";
import type { AgentDefinition } from "../../wire/mod.ts";
import { Definitions, inboundRole, ownRole } from "../definitions.ts";
import type { ThreadsPorts } from "../ports.ts";
import { Acts, type Begun } from "./acts.ts";
import { append } from "./append.ts";
import { createThread, type Making, type ThreadInput } from "./children.ts";
import { Effects } from "./effects.ts";
import { findVariable } from "./env.ts";
import type { MessageHooks } from "./message_hooks.ts";
import type { EngineParts, TurnRunners } from "./parts.ts";
import { Line } from "./line.ts";
import { noteDeadlock, notePingPong, tellPerson } from "./notices.ts";
import { endsWhenQuiet, isBusyBelow, quietEnd, reportText } from "./session_end.ts";
import { Slots } from "./slots.ts";
import { ActiveTurn } from "./active_turn.ts";
import {
  awaitsHuman,
  beginTurn,
  capReached,
  closeSession,
  closeTurn,
  countTurn,
  markSeen,
  nextWaiting,
  openSession,
  seenByPersons,
  type SessionEnd,
  type TurnEnd,
} from "./turns.ts";
import { Waits } from "./waits.ts";
import { Watchers } from "./watchers.ts";

const SWEEP_MS = 250;
/** Why a turn is over whose thread is. */
const TERMINATED = "the thread was terminated";
const RETRY_MS = 1_000;
/** How long turns may go on once the daemon stops. */
const DRAIN_MS = 1_000;

/**
 * The queue and the turns: what waits is given to its side once and in order, one turn at a time in a thread, many
 * threads at once. Everything that counts is in the store before it is acted upon.
 */
export class Engine {
  readonly ports: ThreadsPorts;
  readonly watchers = new Watchers();
  readonly effects: Effects;
  readonly hooks: MessageHooks;
  readonly #runners: TurnRunners;
  readonly #slots: Slots;
  readonly #line: Line;
  readonly #active = new Map<string, ActiveTurn>();
  readonly #waits = new Waits();
  readonly #finishing = new Set<Promise<void>>();
  #forgetSweep: (() => void) | undefined;
  #closed = false;

  constructor({ ports, runners, hooks }: EngineParts) {
    this.ports = ports;
    this.hooks = hooks;
    this.#runners = runners;
    this.effects = new Effects(this);
    this.#slots = new Slots(() => {
      const { projectTurns, allTurns } = ports.settings();
      return { project: projectTurns, all: allTurns };
    });
    this.#line = new Line(this, this.#slots);
  }

  /** What the clock says, in milliseconds. */
  now(): number {
    return this.ports.clock.now();
  }

  /** The turn under way in a thread. */
  activeTurn(thread: string): ActiveTurn | undefined {
    return this.#active.get(thread);
  }

  /**
   * A transaction with what has to follow it. `work` may be run twice: it touches nothing but `tx` and `acts`.
   * Threads come from {@linkcode Acts.thread}, and are saved at the end.
   */
  async write<T>(durability: Durability, work: (tx: ThreadWrites, acts: Acts) => T): Promise<T> {
    let acts = new Acts();
    const release = () => acts.begun.forEach(({ thread }) => this.#slots.give(thread.project));
    let result: T;
    try {
      result = await this.ports.store.write(durability, (tx) => {
        release();
        acts = new Acts();
        const value = work(tx, acts);
        acts.save(tx);
        return value;
      });
    } catch (error) {
      release();
      throw error;
    }
    this.#follow(acts);
    return result;
  }

  /**
   * In a transaction: begins a turn of a thread if it has something to do and may; else lets it rest or wait in line. The
   * transaction has to outlive a power cut: what was given once is never given again.
   */
  proceed(tx: ThreadWrites, acts: Acts, thread: ThreadRow): void {
    if (thread.turn !== null || thread.terminatedAt !== null) return;
    const host = this.ports.hosts.current(thread.project);
    const agent = host && Definitions.of(host.definitions).agents.get(thread.agent);
    if (!host || !agent || this.#closed || this.#slots.free(thread.project) <= 0) {
      acts.wake.push({ project: thread.project, thread: thread.id });
      if (thread.status === "idle") thread.status = "running"; // it is in line; looked at, it rests or begins
      return;
    }
    this.endAtCap(tx, acts, thread, agent); // a turn that died with the daemon counts too
    const begun = beginTurn(tx, acts, thread, agent, this.now());
    if (!begun) return this.#rest(tx, acts, thread, agent);
    acts.begun.push({ ...begun, thread, host, agent });
    this.#slots.take(thread.project);
  }

  /** Has a thread looked at as soon as its project's host is up and there is room. */
  wake(project: string, thread: string): void {
    this.#line.add(project, thread);
    this.#line.move();
  }

  /** In a transaction: ends the session and tells whom it concerns. */
  endSession(tx: ThreadWrites, acts: Acts, thread: ThreadRow, end: SessionEnd): void {
    const session = closeSession(tx, acts, thread, end, this.now());
    if (!session || !thread.link) return;
    thread.status = end.success ? "idle" : "failed";
    acts.changed.add(thread.link.parent);
    if (thread.link.communication === "explicit" || this.#waits.has(thread.id)) return;
    const parent = acts.thread(tx, thread.link.parent);
    if (parent.terminatedAt !== null) return;
    append(tx, acts, parent, {
      role: inboundRole(thread.link.owner),
      content: reportText(thread, session),
      silent: true,
      metadata: { subagent_id: thread.id, success: end.success, result: end.result },
      attachments: end.attachments ?? null,
      turn: null,
      hops: thread.hops + 1,
    }, this.now());
    this.proceed(tx, acts, parent);
  }

  /** In a transaction: makes a thread with its immediate children; what they have to do comes with it. */
  create(tx: ThreadWrites, acts: Acts, definitions: Definitions, input: ThreadInput): ThreadRow {
    return createThread(tx, acts, this.making(definitions), input);
  }

  /** What threads are made with. */
  making(definitions: Definitions): Making {
    const sources = { ports: this.ports, definitions, prompt: undefined };
    return {
      definitions,
      nowMs: this.now(),
      env: (tx, thread, name) => findVariable(tx, sources, thread, name)?.value,
    };
  }

  /** Waits for the end of a child's session that `begin` sets going, on behalf of a turn that counts for none meanwhile. */
  async sessionEnd(child: ThreadRow, by: ActiveTurn, begin: () => Promise<void>): Promise<SessionRow> {
    this.#slots.give(by.project);
    this.#line.move();
    try {
      return await this.#waits.until(child.id, by, begin);
    } finally {
      this.#slots.take(by.project);
    }
  }

  /** Whether a turn waits for the end of a thread's session. */
  isAwaited(thread: string): boolean {
    return this.#waits.has(thread);
  }

  /** Marks what a dead daemon left, and goes on with what waits. */
  async recover(): Promise<void> {
    for (const id of this.ports.store.unfinished(undefined)) {
      const thread = this.ports.store.thread(id);
      if (!thread) continue;
      if (thread.turn !== null) await this.#interrupt(id);
      this.wake(thread.project, id);
    }
    await this.effects.recover();
  }

  /** Takes nothing more up; what is under way gets a moment to end by itself, then it is interrupted. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#line.close();
    this.#forgetSweep?.();
    this.effects.close();
    const turns = [...this.#active.values()];
    const over = Promise.all(turns.map((turn) => turn.over));
    let forget = () => {};
    const enough = new Promise<void>((late) => forget = this.ports.clock.after(DRAIN_MS, late));
    await Promise.race([over, enough]);
    forget();
    for (const turn of turns) turn.abort("interrupted", "the daemon stopped before the turn ended");
    await over;
    await Promise.all(this.#finishing);
    this.watchers.close();
  }

  async #interrupt(id: string): Promise<void> {
    await this.write("power", (tx, acts) => {
      const thread = acts.thread(tx, id);
      const turn = thread.turn === null ? undefined : tx.turn(thread.turn);
      if (!turn) {
        thread.turn = null;
        return;
      }
      const error = {
        message: "the process that ran this turn ended before the turn did; the message is not given again",
        type: "interrupted_incomplete",
        origin: "runtime",
      };
      for (const log of tx.logs(id, { limit: 100, offset: 0, order: "desc" })) {
        if (log.turn !== turn.id || log.complete) continue;
        tx.saveLog({ ...log, rev: ++thread.seq, complete: true, error });
      }
      this.#close(tx, acts, thread, turn, { state: "interrupted", error, stopCode: null }, undefined);
      this.proceed(tx, acts, thread); // into the line, which its status says
    });
  }

  /** In a transaction: the end of a turn and what follows from it, but for the next turn. */
  #close(
    tx: ThreadWrites,
    acts: Acts,
    thread: ThreadRow,
    turn: TurnRow,
    end: TurnEnd,
    agent: AgentDefinition | undefined,
  ): void {
    closeTurn(tx, acts, thread, turn, end, this.now());
    if (thread.status === "running") thread.status = "idle";
    notePingPong(tx, acts, thread, this.ports.settings().pingPongTurns, this.now());
    if (agent) this.endAtCap(tx, acts, thread, agent);
  }

  /** In a transaction: ends the session where its exchanges have reached the agent's cap. */
  endAtCap(tx: ThreadWrites, acts: Acts, thread: ThreadRow, agent: AgentDefinition): void {
    if (!capReached(thread, agent)) return;
    const { result } = quietEnd(tx, thread, agent);
    this.endSession(tx, acts, thread, { reason: "max_session_turns", success: true, result });
  }

  /** In a transaction: a person's message, which is a turn of their side (threads.md §6.2). */
  humanTurn(
    tx: ThreadWrites,
    acts: Acts,
    thread: ThreadRow,
    agent: AgentDefinition,
    message: MessageRow,
  ): void {
    const side = message.role === ownRole("a") ? "a" : "b";
    this.endAtCap(tx, acts, thread, agent);
    openSession(tx, thread, this.now());
    markSeen(thread, side, message.seq);
    countTurn(thread, side);
    this.endAtCap(tx, acts, thread, agent);
  }

  /** In a transaction: something was said at rest; where that is for a person, the thread waits for them. */
  saidAtRest(tx: ThreadWrites, acts: Acts, thread: ThreadRow): void {
    if (thread.turn !== null || thread.stopped || thread.status !== "idle") return;
    const host = this.ports.hosts.current(thread.project);
    const agent = host && Definitions.of(host.definitions).agents.get(thread.agent);
    if (!agent || !awaitsHuman(tx, thread, agent)) return;
    thread.status = "awaiting_human";
    seenByPersons(thread, agent);
    acts.parked.push(thread);
  }

  /** Nothing is to be done: what the thread is until the next message. */
  #rest(tx: ThreadWrites, acts: Acts, thread: ThreadRow, agent: AgentDefinition): void {
    const awaited = this.#waits.has(thread.id);
    if (thread.stopped) {
      if (thread.status === "running") thread.status = "idle";
    } else if (awaitsHuman(tx, thread, agent)) {
      if (thread.status !== "awaiting_human") acts.parked.push(thread);
      thread.status = "awaiting_human";
    } else if (thread.status !== "failed") thread.status = "idle";
    acts.changed.add(thread.id);
    seenByPersons(thread, agent);
    const ends = endsWhenQuiet(thread, agent, awaited);
    if ((ends || awaited) && !isBusyBelow(tx, acts, thread)) {
      if (ends) this.endSession(tx, acts, thread, quietEnd(tx, thread, agent));
      else acts.quiet.push(thread);
    }
    if (thread.link) this.settle(tx, acts, thread.link.parent);
  }

  /** In a transaction: an effect or a child's work has ended, so that a thread may be quiet now. It begins nothing. */
  settle(tx: ThreadWrites, acts: Acts, id: string): void {
    const known = tx.thread(id);
    if (!known?.link || !known.sessionOpen) return; // nobody waits for its end
    const host = this.ports.hosts.current(known.project);
    const agent = host && Definitions.of(host.definitions).agents.get(known.agent);
    const thread = acts.thread(tx, id);
    if (thread.turn !== null || thread.terminatedAt !== null) return;
    if (!agent) return this.proceed(tx, acts, thread); // into the line
    if (nextWaiting(tx, thread, agent) === undefined) this.#rest(tx, acts, thread, agent);
  }

  /** After a commit: everything that waited for it. */
  #follow(acts: Acts): void {
    for (const begun of acts.begun) this.#run(begun);
    for (const { project, thread } of acts.wake) this.#line.add(project, thread);
    for (const session of acts.ended) this.#waits.ended(session);
    for (const thread of acts.quiet) void this.#noteDeadlock(thread);
    for (const thread of acts.parked) tellPerson(this.ports, thread);
    for (const id of acts.terminated) {
      this.#active.get(id)?.abort("aborted", TERMINATED);
      this.#waits.terminated(id);
    }
    if (acts.effects) this.effects.arm();
    this.watchers.changed(acts.changed);
    if (acts.wake.length > 0) this.#line.move();
  }

  #run(begun: Begun): void {
    const { thread, turn, host } = begun;
    this.#line.met(thread.project, host);
    const active = new ActiveTurn({
      begun,
      definitions: Definitions.of(host.definitions),
      deadline: this.ports.clock.monotonic() + this.ports.settings().turnLimitMs,
      leave: this.ports.hosts.use(thread.project),
    });
    this.#active.set(thread.id, active);
    this.#sweep();
    const ended = turn.backing === "handler" ? this.#runners.handler(active) : this.#runners.prompt(active);
    const finished = ended.then((end) => this.#finish(active, end));
    this.#finishing.add(finished);
    void finished.then(() => this.#finishing.delete(finished));
  }

  async #finish(active: ActiveTurn, end: TurnEnd): Promise<void> {
    const { thread: { id, project } } = active;
    this.#slots.give(project);
    this.#active.delete(id);
    active.settled();
    for (;;) {
      try {
        await this.write("power", (tx, acts) => {
          const thread = acts.thread(tx, id);
          // what failed because its thread was gone can be heard of before the turn is told so
          if (end.state === "failed" && thread.terminatedAt !== null) active.abort("aborted", TERMINATED);
          const outcome = active.verdict(end);
          this.#close(tx, acts, thread, active.turn, outcome, active.definitions.agents.get(thread.agent));
          this.proceed(tx, acts, thread);
        });
        break;
      } catch (error) {
        if (error instanceof HandlerError && error.kind === "not_found") break; // it was removed meanwhile
        this.ports.log.log("error", `a turn of the thread ${id} cannot be stored: ${errorText(error)}`);
        if (this.#closed) break;
        await new Promise<void>((later) => this.ports.clock.after(RETRY_MS, later));
      }
    }
    active.leave();
    this.#line.move();
  }

  /** Looks for turns over their limit; the clock runs only while there are turns. */
  #sweep(): void {
    if (this.#forgetSweep || this.#closed) return;
    this.#forgetSweep = this.ports.clock.after(SWEEP_MS, () => {
      this.#forgetSweep = undefined;
      const now = this.ports.clock.monotonic();
      const limit = this.ports.settings().turnLimitMs;
      for (const turn of this.#active.values()) {
        if (turn.deadline <= now) turn.abort("failed", `the turn took more than ${limit / 1000} s`);
      }
      if (this.#active.size > 0) this.#sweep();
    });
  }

  async #noteDeadlock(child: ThreadRow): Promise<void> {
    for (const { by } of this.#waits.for(child.id)) {
      if (by.toldOf.has(child.id)) continue;
      by.toldOf.add(child.id);
      await this.write("process", (tx, acts) => noteDeadlock(tx, acts, by, child.id, this.now()))
        .catch((error) => this.ports.log.log("error", errorText(error)));
    }
  }
}
