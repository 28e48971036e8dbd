import { errorText, HandlerError } from "../base/mod.ts";
import { removeAll } from "../platform/mod.ts";
import type {
  LogRow,
  PageQuery,
  SessionRow,
  Side,
  ThreadQuery,
  ThreadReads,
  ThreadRow,
  TurnRow,
} from "../store/mod.ts";
import type { WireMessage } from "../wire/mod.ts";
import { Definitions, humanSide, ownRole } from "./definitions.ts";
import { append, terminated, wireMessage } from "./engine/append.ts";
import { registry } from "./engine/children.ts";
import { Engine } from "./engine/engine.ts";
import { restContext, runEffect, runHandler } from "./engine/functions.ts";
import type { MessageHooks } from "./engine/message_hooks.ts";
import type {
  NewThread,
  SentMessage,
  ThreadEntry,
  ThreadKept,
  ThreadMessage,
  ThreadMessageQuery,
  ThreadsApi,
  ThreadView,
  WatchEvent,
} from "./facade.ts";
import type { ThreadHost, ThreadsPorts } from "./ports.ts";
import { createHooks, createTools, runPrompt } from "./runners.ts";
import { attachmentsOf } from "./state/attachments.ts";
import { exportThread } from "./transfer.ts";
import { importThread } from "./transfer_import.ts";
import type { ToolRunner } from "./state/context.ts";
import { terminate } from "./state/control.ts";
import { writeThreadFile } from "./state/files.ts";
import { isPending, noMessage, readMessages, readRows, threadOf } from "./state/messages.ts";
import { entryOf, keptOf, messageOf, sidesOf } from "./views.ts";
import { watchThread } from "./watch.ts";

/** All threads of a person: conversations whose sides are a person, a prompt or a handler (contract T). */
export class Threads implements ThreadsApi {
  readonly #ports: ThreadsPorts;
  readonly #engine: Engine;
  readonly #tools: ToolRunner;
  readonly #hooks: MessageHooks;

  constructor(ports: ThreadsPorts) {
    this.#ports = ports;
    const tools = this.#tools = createTools();
    const hooks = this.#hooks = createHooks();
    this.#engine = new Engine({
      ports,
      hooks,
      runners: {
        handler: (turn) => runHandler(this.#engine, tools, turn),
        prompt: (turn) => runPrompt(this.#engine, tools, turn),
      },
    });
    this.#engine.effects.connect((effect) => runEffect(this.#engine, tools, effect));
  }

  /** Marks what a dead daemon left under way as interrupted, and goes on with what waits. */
  async start(): Promise<void> {
    await this.#engine.recover();
    // what a removal left over that was cut short
    this.#sweep().catch((error) =>
      this.#ports.log.log("warn", `sweeping was cut short: ${errorText(error)}`)
    );
  }

  /** Aborts what is under way; nothing more is begun. The store and the hosts are the caller's to close. */
  close(): Promise<void> {
    return this.#engine.close();
  }

  async create(input: NewThread): Promise<ThreadRow> {
    const host = await this.#host(input.project);
    const definitions = Definitions.of(host.definitions);
    definitions.agent(input.agent);
    const env = Object.entries(input.env).map(([name, value]) => ({ name, value, type: "secret" as const }));
    const { title, person, project, agent } = input;
    const thread = await this.#engine.write(
      "power",
      (tx, acts) =>
        this.#engine.create(tx, acts, definitions, {
          project,
          agent,
          person,
          title,
          description: null,
          link: null,
          arguments: input.arguments,
          env,
        }),
    );
    this.#hooks.created(restContext(this.#engine, this.#tools, host, thread.id, undefined), thread.id);
    return thread;
  }

  async send(id: string, message: SentMessage): Promise<WireMessage> {
    const host = await this.#hostIfUp(threadOf(this.#ports.store, id));
    const made = await this.#hooked(host, id, message);
    const row = await this.#engine.write("power", (tx, acts) => {
      const thread = acts.thread(tx, id);
      const agent = host && Definitions.of(host.definitions).agents.get(thread.agent);
      const side: Side = message.side ?? (agent ? humanSide(agent) : sideSpokenFor(tx, id)) ?? "b";
      thread.stopped = false;
      if (thread.status === "awaiting_human" || thread.status === "failed") thread.status = "idle";
      const row = append(tx, acts, thread, { ...made, role: ownRole(side), turn: null }, this.#engine.now());
      if (agent && humanSide(agent) === side) this.#engine.humanTurn(tx, acts, thread, agent, row);
      this.#engine.proceed(tx, acts, thread);
      return row;
    });
    const sent = wireMessage(row, true);
    if (host) this.#hooks.afterCreate(restContext(this.#engine, this.#tools, host, id, undefined), id, sent);
    return sent;
  }

  list(query: ThreadQuery): readonly ThreadEntry[] {
    const { store } = this.#ports;
    return store.threads(query).map((row) => entryOf(store, row));
  }

  show(id: string): ThreadView {
    const { store } = this.#ports;
    const thread = threadOf(store, id);
    const definitions = this.#definitions(thread.project);
    const all = { limit: WAITING_LOOK, offset: 0, order: "desc", includeSilent: true, maxDepth: 0 } as const;
    const recent = readMessages(store, definitions, thread, all);
    return {
      thread,
      sides: sidesOf(store, definitions.agents.get(thread.agent), id),
      children: registry(store, id, definitions),
      waiting: recent.messages.filter(({ status }) => status === "pending").length,
      messages: recent.total,
    };
  }

  messages(id: string, query: ThreadMessageQuery): readonly ThreadMessage[] {
    const { store } = this.#ports;
    const thread = threadOf(store, id);
    const definitions = this.#definitions(thread.project);
    const rows = readRows(store, id, { maxDepth: 0, ...query });
    return rows.map((row) => messageOf(row, isPending(thread, row, definitions)));
  }

  message(id: string, message: string): ThreadMessage {
    const thread = threadOf(this.#ports.store, id);
    const row = this.#ports.store.message(id, message);
    if (!row || row.deleted) throw noMessage(id, message);
    return messageOf(row, isPending(thread, row, this.#definitions(thread.project)));
  }

  kept(id: string): ThreadKept {
    threadOf(this.#ports.store, id);
    return keptOf(this.#ports.store, id);
  }

  async cancelEffect(id: string, effect: string): Promise<void> {
    threadOf(this.#ports.store, id);
    if (await this.#engine.effects.cancel(id, effect, "user_canceled")) return;
    throw new HandlerError("conflict", `the thread ${id} has no effect ${effect} that is pending`);
  }

  turns(id: string, query: PageQuery): readonly TurnRow[] {
    threadOf(this.#ports.store, id);
    return this.#ports.store.turns(id, query);
  }

  logs(id: string, query: PageQuery): readonly LogRow[] {
    threadOf(this.#ports.store, id);
    return this.#ports.store.logs(id, query);
  }

  sessions(id: string): readonly SessionRow[] {
    threadOf(this.#ports.store, id);
    return this.#ports.store.sessions(id);
  }

  watch(id: string, after: number, signal: AbortSignal): AsyncIterable<WatchEvent> {
    threadOf(this.#ports.store, id);
    return watchThread(this.#ports.store, this.#engine.watchers, id, after, signal);
  }

  /** Calls `listener` with each thread in which something is new, or that is gone. */
  onChange(listener: (thread: string) => void): void {
    this.#engine.watchers.onChange((thread) => listener(thread));
  }

  async stop(id: string): Promise<void> {
    await this.#engine.write("power", (tx, acts) => {
      const thread = acts.thread(tx, id);
      if (thread.terminatedAt !== null) throw terminated(thread);
      thread.stopped = true;
      acts.changed.add(id);
    });
    const turn = this.#engine.activeTurn(id);
    turn?.abort("aborted", "a person stopped the turn");
    await turn?.over;
  }

  async resume(id: string): Promise<void> {
    await this.#engine.write("power", (tx, acts) => {
      const thread = acts.thread(tx, id);
      if (thread.terminatedAt !== null) throw terminated(thread);
      thread.stopped = false;
      if (thread.status === "failed") thread.status = "idle";
      acts.changed.add(id);
      this.#engine.proceed(tx, acts, thread);
    });
  }

  terminate(id: string): Promise<void> {
    return terminate(this.#engine, id);
  }

  async remove(id: string): Promise<void> {
    threadOf(this.#ports.store, id);
    for (const child of this.#ports.store.children(id)) await this.remove(child.id);
    await terminate(this.#engine, id);
    await this.#engine.activeTurn(id)?.over;
    await this.#ports.store.write("power", (tx) => tx.removeThread(id));
    this.#engine.watchers.changed(new Set([id]));
    await removeAll(`${this.#ports.filesFolder}/${id}`);
    await this.#sweep();
  }

  /** In slices, so that others are served between them. */
  async #sweep(): Promise<void> {
    while (await this.#ports.store.write("process", (tx) => tx.sweep())) {
      await new Promise<void>((next) => setTimeout(next, 0));
    }
  }

  check(project: string): ReturnType<ThreadsApi["check"]> {
    this.#checkProject(project);
    return this.#ports.hosts.check(project);
  }

  export(id: string): AsyncIterable<string> {
    return exportThread(this.#ports, id);
  }

  async import(lines: AsyncIterable<string>, project: string | undefined): Promise<string> {
    if (project !== undefined) this.#checkProject(project);
    const threads = await importThread(this.#ports, lines, project);
    this.#engine.effects.arm();
    for (const thread of threads) this.#engine.wake(thread.project, thread.id);
    return threads[0]?.id ?? "";
  }

  async putFile(id: string, path: string, mimeType: string, bytes: Uint8Array): Promise<void> {
    await writeThreadFile({ engine: this.#engine }, id, { path, bytes, mimeType, metadata: null });
  }

  async #hooked(host: ThreadHost | undefined, id: string, message: SentMessage) {
    const made = {
      role: "user" as const,
      content: message.content,
      metadata: message.metadata ?? null,
      attachments: attachmentsOf(this.#ports.store, id, message.attachments),
      turn: null,
    };
    if (!host) return made;
    return await this.#hooks.beforeCreate(
      restContext(this.#engine, this.#tools, host, id, undefined),
      id,
      made,
    );
  }

  #checkProject(name: string): void {
    if (this.#ports.isProject(name)) return;
    throw new HandlerError("not_found", `there is no project "${name}"`, { hint: "handler project list" });
  }

  async #host(project: string): Promise<ThreadHost> {
    this.#checkProject(project);
    return this.#ports.hosts.current(project) ?? await this.#ports.hosts.get(project);
  }

  /** A message is taken even where the project's definitions cannot be loaded; its log says why nothing happens. */
  async #hostIfUp({ project, agent }: ThreadRow): Promise<ThreadHost | undefined> {
    try {
      const host = await this.#host(project);
      return Definitions.of(host.definitions).agents.has(agent) ? host : undefined;
    } catch {
      return undefined;
    }
  }

  #definitions(project: string): Definitions {
    const host = this.#ports.hosts.current(project);
    return Definitions.of(host?.definitions ?? NONE);
  }
}

/** Whom a message is said for while the definitions do not tell: the side that has had no turn of a function. */
function sideSpokenFor(tx: ThreadReads, id: string): Side | undefined {
  const turns = tx.turns(id, { limit: SIDES_LOOK, offset: 0, order: "desc" });
  return turns.length > 0 && turns.every(({ side }) => side === "b") ? "a" : undefined;
}

const SIDES_LOOK = 20;

/** How far back waiting messages are counted. */
const WAITING_LOOK = 1000;

const NONE = { agents: [], prompts: [], models: [], tools: [], hooks: [], effects: [], handlers: [] };
