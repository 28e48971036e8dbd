import { errorText, HandlerError } from "../../base/mod.ts";
import { Definitions } from "../definitions.ts";
import type { ThreadHost } from "../ports.ts";
import { appendLog } from "./append.ts";
import type { Engine } from "./engine.ts";
import { Held } from "./held.ts";
import { ReadyQueue } from "./ready.ts";
import type { Slots } from "./slots.ts";

/** Threads that may have something to do but cannot be begun at once: their project's host is not up, or there is no room. */
export class Line {
  readonly #engine: Engine;
  readonly #slots: Slots;
  readonly #ready = new ReadyQueue();
  readonly #starting = new Set<string>();
  readonly #held: Held;
  #closed = false;

  constructor(engine: Engine, slots: Slots) {
    this.#engine = engine;
    this.#slots = slots;
    const { clock, hosts } = engine.ports;
    this.#held = new Held({ clock, hosts, release: (threads) => this.#release(threads) });
  }

  add(project: string, thread: string): void {
    this.#ready.add(project, thread);
  }

  /** Something of a project begins in a host. */
  met(project: string, host: ThreadHost): void {
    this.#held.seen(project, host);
  }

  /** Nothing more is begun. */
  close(): void {
    this.#closed = true;
    this.#held.close();
  }

  /** Begins what is in line, as far as there is room. */
  move(): void {
    if (this.#closed) return;
    const { hosts } = this.#engine.ports;
    const left = new Map<string, number>();
    const room = (project: string) => {
      if (this.#starting.has(project)) return 0;
      return left.get(project) ?? this.#slots.free(project);
    };
    for (let next = this.#ready.next(room); next; next = this.#ready.next(room)) {
      const { project, thread } = next;
      if (!hosts.current(project)) {
        this.#ready.add(project, thread);
        void this.#start(project);
        continue;
      }
      left.set(project, room(project) - 1);
      void this.#take(project, thread);
    }
  }

  async #take(project: string, id: string): Promise<void> {
    const { hosts, store, log } = this.#engine.ports;
    const host = hosts.current(project);
    const known = store.thread(id);
    if (!known) return;
    if (!host) return this.add(project, id); // its definitions have just changed
    this.met(project, host);
    if (!Definitions.of(host.definitions).agents.has(known.agent)) {
      return await this.#refuse(known, `the project ${project} defines no agent "${known.agent}"`, host);
    }
    try {
      await this.#engine.write("power", (tx, acts) => this.#engine.proceed(tx, acts, acts.thread(tx, id)));
    } catch (error) {
      log.log("error", `the thread ${id} cannot go on: ${errorText(error)}`);
    }
  }

  /** Starts a project's host; its threads wait in line until then. */
  async #start(project: string): Promise<void> {
    this.#starting.add(project);
    try {
      await this.#engine.ports.hosts.get(project);
    } catch (error) {
      await this.#refuseAll(project, reasonOf(error));
    } finally {
      this.#starting.delete(project);
    }
    this.move();
  }

  async #refuseAll(project: string, reason: string): Promise<void> {
    const mine = (name: string) => name === project ? 1 : 0;
    for (let next = this.#ready.next(mine); next; next = this.#ready.next(mine)) {
      await this.#refuse({ id: next.thread, project }, reason, undefined);
    }
  }

  /** What waits stays waiting until the definitions are put right; the log and the status say why. */
  async #refuse(
    { id, project }: { readonly id: string; readonly project: string },
    reason: string,
    host: ThreadHost | undefined,
  ): Promise<void> {
    try {
      await this.#engine.write("process", (tx, acts) => {
        const thread = acts.thread(tx, id);
        thread.status = "failed";
        const error = { message: reason, type: "not_started", origin: "runtime" };
        appendLog(tx, acts, thread, { turn: null, kind: "runtime", error }, this.#engine.now());
      });
      this.#held.add(project, id, host);
    } catch (error) {
      this.#engine.ports.log.log("error", `the thread ${id} cannot start: ${reason}; ${errorText(error)}`);
    }
  }

  async #release(threads: readonly string[]): Promise<void> {
    for (const id of threads) {
      try {
        await this.#engine.write("power", (tx, acts) => {
          const thread = acts.thread(tx, id);
          if (thread.status === "failed") thread.status = "idle";
          this.#engine.proceed(tx, acts, thread);
        });
      } catch (error) {
        if (error instanceof HandlerError && error.kind === "not_found") continue; // it was removed meanwhile
        this.#engine.ports.log.log("error", `the thread ${id} cannot go on: ${errorText(error)}`);
      }
    }
  }
}

/** With what may help: the log of a thread has no other place for it. */
function reasonOf(error: unknown): string {
  const hint = error instanceof HandlerError ? error.hint : undefined;
  return hint === undefined ? String(error) : `${String(error)} (${hint})`;
}
