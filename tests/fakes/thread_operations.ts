import { HandlerError, linesOf } from "../../src/base/mod.ts";
import type {
  DefinitionsView,
  FileRow,
  LogRow,
  MessageRow,
  NewThread,
  PageQuery,
  SentMessage,
  SessionRow,
  ThreadEntry,
  ThreadMessage,
  ThreadMessageQuery,
  ThreadOperations,
  ThreadQuery,
  ThreadRow,
  ThreadView,
  TurnRow,
  WatchEvent,
} from "../../src/api/mod.ts";

const AT = 1_700_000_000_000_000;

/** One thread with all that is its own. */
export interface MemoryThread {
  readonly row: ThreadRow;
  readonly messages: MessageRow[];
  readonly turns: TurnRow[];
  readonly logs: LogRow[];
  readonly files: Map<string, Uint8Array>;
  readonly events: WatchEvent[];
  heard: PromiseWithResolvers<void>;
}

/** Threads that are all in memory; side A answers a message with `echo: ` and its text, unless the thread is mute. */
export class MemoryThreads implements ThreadOperations {
  readonly threadMap = new Map<string, MemoryThread>();
  definitionsView: DefinitionsView = {
    definitions: [
      { kind: "agent", name: "relay_agent", description: "Pipes", file: "agents/agents/relay_agent.ts" },
      { kind: "handler", name: "relay_pipe", description: "", file: "agents/handlers/relay_pipe.ts" },
    ],
    problems: [],
  };
  /** Threads get no answer; what is sent waits. */
  mute = false;
  readonly asked: string[] = [];

  async threadsCheck(project: string) {
    await this.asked.push(`check ${project}`);
    return this.definitionsView;
  }

  threadsTypes(project: string) {
    const files = [{ path: ".agents/types.d.ts", text: `// ${project}\n` }];
    return Promise.resolve({ files, remarks: ["deno.json: add nothing"] });
  }

  async threads(query: ThreadQuery): Promise<readonly ThreadEntry[]> {
    const { project, agent, person, parent, status, ended, limit, offset } = query;
    const rows = await [...this.threadMap.values()].map(({ row }) => row).reverse();
    return rows.filter((row) =>
      (project ?? row.project) === row.project && (person ?? row.person) === row.person &&
      (agent ?? row.agent) === row.agent &&
      (ended ?? row.terminatedAt !== null) === (row.terminatedAt !== null) &&
      (status ?? row.status) === row.status && (parent === undefined || parent === (row.link?.parent ?? null))
    ).slice(offset, offset + limit).map((row) => ({ ...row, children: 0, last: this.#last(row.id) }));
  }

  #last(id: string): ThreadEntry["last"] {
    const last = this.#have(id).messages.at(-1);
    return last ? { role: last.role, text: last.content ?? "", at: last.createdAt } : null;
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async threadNew({ project, agent, person, title, arguments: given }: NewThread) {
    if (agent !== "relay_agent") throw new HandlerError("not_found", `there is no agent ${agent}`);
    const row = newRow(`t${this.threadMap.size + 1}`, { project, agent, person, title });
    this.#add({ ...row, arguments: JSON.stringify(given) });
    return row;
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async thread(id: string): Promise<ThreadView> {
    const { row, messages } = this.#have(id);
    const waiting = messages.filter(({ role, seq }) => role === "user" && seq > row.seenA).length;
    const sides = {
      a: { backing: "handler", name: "relay_pipe", label: null },
      b: { backing: "human", name: null, label: null },
    } as const;
    return { thread: { ...row }, sides, children: [], waiting, messages: messages.length };
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async threadSend(id: string, { content, side, metadata, attachments }: SentMessage) {
    const thread = this.#have(id);
    if (thread.row.terminatedAt !== null) {
      throw new HandlerError("conflict", `the thread ${id} is terminated`);
    }
    const role = side === "a" ? "assistant" : "user";
    const said = this.#say(thread, role, content, JSON.stringify({ metadata, attachments }));
    if (role === "user" && !this.mute) this.answer(id, `echo: ${content}`);
    return wire(said);
  }

  /** Side A gives a turn of it. */
  answer(id: string, content: string): void {
    const thread = this.#have(id);
    const inbound = thread.messages.findLast(({ role }) => role === "user");
    thread.row.seenA = thread.row.seq;
    const turn = newTurn(thread, inbound?.id ?? "", ++thread.row.seq);
    thread.turns.push(turn);
    this.#say(thread, "assistant", content, null);
    turn.rev = ++thread.row.seq;
    this.#tell(thread, { id: turn.rev, event: "change", change: { rev: turn.rev, kind: "turn", row: turn } });
  }

  async threadMessages(id: string, query: ThreadMessageQuery): Promise<readonly ThreadMessage[]> {
    const shown = await this.#have(id).messages.filter(({ silent }) => query.includeSilent || !silent);
    return page(shown, query).map(wire);
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async threadMessage(id: string, message: string) {
    const found = this.#have(id).messages.find((one) => one.id === message);
    if (!found) throw new HandlerError("not_found", `the thread ${id} has no message ${message}`);
    return wire(found);
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async threadKept(id: string) {
    this.#have(id);
    const secret = { name: "KEY", type: "secret", value: null } as const;
    return { values: [{ key: "list", value: "[1]" }], variables: [secret], effects: [] };
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async threadEffectCancel(id: string, effect: string) {
    this.#have(id);
    throw new HandlerError("conflict", `the thread ${id} has no effect ${effect} that is pending`);
  }

  async threadTurns(id: string, query: PageQuery) {
    return await page(this.#have(id).turns, query);
  }

  async threadLogs(id: string, query: PageQuery) {
    return await page(this.#have(id).logs, query);
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async threadSessions(id: string): Promise<readonly SessionRow[]> {
    this.#have(id);
    const open = { closedAt: null, reason: null, success: null, result: null };
    return [{ thread: id, number: 1, openedAt: AT, ...open }];
  }

  async *threadWatch(id: string, after: number, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    const thread = this.#have(id);
    const left = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => left.resolve(), { once: true });
    for (let at = 0; !signal.aborted; at++) {
      while (at >= thread.events.length && !signal.aborted) {
        await Promise.race([thread.heard.promise, left.promise]);
      }
      const event = thread.events[at];
      if (event && !("id" in event && event.id <= after)) yield event;
    }
  }

  async threadStop(id: string) {
    this.#have(id).row.stopped = await true;
  }

  async threadResume(id: string) {
    this.#have(id).row.stopped = await false;
  }

  async threadTerminate(id: string) {
    const { row } = this.#have(id);
    row.terminatedAt = await AT;
    row.status = "terminated";
  }

  async threadRemove(id: string) {
    this.#have(id);
    await this.threadMap.delete(id);
  }

  async *threadExport(id: string, _signal: AbortSignal): AsyncGenerator<string> {
    const { row, messages } = this.#have(id);
    yield JSON.stringify({ thread: row });
    for (const message of messages) yield await Promise.resolve(JSON.stringify({ message }));
  }

  async threadImport(source: AsyncIterable<string> | Blob, project: string | null) {
    const lines = source instanceof Blob ? linesOf(source.stream()) : source;
    const all = (await Array.fromAsync(lines)).map((line) => JSON.parse(line));
    const { thread } = all[0] as { thread: ThreadRow };
    if (this.threadMap.has(thread.id)) throw new HandlerError("conflict", `${thread.id} is there already`);
    const made = this.#add({ ...thread, project: project ?? thread.project });
    for (const { message } of all.slice(1)) made.messages.push(message);
    return { id: thread.id };
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async threadFiles(id: string): Promise<readonly FileRow[]> {
    return [...this.#have(id).files].map(([path, bytes]) => ({
      thread: id,
      path,
      mimeType: "text/plain",
      size: bytes.length,
      isDirectory: false,
      metadata: null,
      createdAt: AT,
      updatedAt: AT,
    }));
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async threadFile(id: string, path: string) {
    const bytes = this.#have(id).files.get(path);
    if (!bytes) throw new HandlerError("not_found", `the thread has no file ${path}`);
    return bytes;
  }

  async threadPutFile(id: string, path: string, mimeType: string, bytes: Uint8Array) {
    await this.#have(id).files.set(path, bytes);
    this.asked.push(`put ${path} ${mimeType} ${bytes.length}`);
  }

  /** Tells the watchers of a thread something. */
  tell(id: string, event: WatchEvent): void {
    this.#tell(this.#have(id), event);
  }

  #add(row: ThreadRow): MemoryThread {
    const empty = { messages: [], turns: [], logs: [], files: new Map(), events: [] };
    const thread = { row, ...empty, heard: Promise.withResolvers<void>() };
    this.threadMap.set(row.id, thread);
    return thread;
  }

  #have(id: string): MemoryThread {
    const thread = this.threadMap.get(id);
    if (!thread) throw new HandlerError("not_found", `there is no thread ${id}`);
    return thread;
  }

  #say(thread: MemoryThread, role: "user" | "assistant", content: string, metadata: string | null) {
    const seq = ++thread.row.seq;
    const row = newMessage(thread.row.id, seq, role, content, metadata);
    thread.messages.push(row);
    this.#tell(thread, { id: seq, event: "change", change: { rev: seq, kind: "message", row } });
    return row;
  }

  #tell(thread: MemoryThread, event: WatchEvent): void {
    thread.events.push(event);
    thread.heard.resolve();
    thread.heard = Promise.withResolvers<void>();
  }
}

/** A thread's row with what a test gives. */
export function newRow(id: string, given: Partial<ThreadRow> = {}): ThreadRow {
  return {
    ...{ id, project: "desk", agent: "relay_agent", person: null, title: null, description: null },
    ...{ createdAt: AT, link: null, arguments: "{}", terminatedAt: null, stopped: false },
    ...{ status: "awaiting_human", statusText: null, seq: 0, seenA: 0, seenB: 0, turn: null },
    ...{ session: 0, sessionOpen: false, turnsA: 0, turnsB: 0, hops: 0 },
    ...given,
  };
}

function newMessage(
  thread: string,
  seq: number,
  role: "user" | "assistant",
  content: string,
  metadata: string | null,
): MessageRow {
  return {
    ...{ thread, seq, rev: seq, id: `m${seq}`, role, content, name: null, toolCalls: null, toolCallId: null },
    ...{ toolStatus: null, createdAt: AT + seq, silent: false, metadata, attachments: null, parentId: null },
    ...{ depth: 0, turn: null, hops: 0, deleted: false },
  };
}

function newTurn({ row }: MemoryThread, messageId: string, seq: number): TurnRow {
  return {
    ...{ thread: row.id, seq, rev: seq, id: `u${seq}`, session: 1, side: "a", backing: "handler" },
    ...{ name: "relay_pipe", messageId, state: "done", startedAt: AT, endedAt: AT + 2000 },
    ...{ stopCode: null, error: null },
  };
}

function page<T extends { readonly seq: number }>(rows: readonly T[], query: PageQuery): readonly T[] {
  const { limit, offset, order, after = 0, before = Infinity } = query;
  const asked = rows.filter(({ seq }) => seq > after && seq < before);
  return (order === "asc" ? asked : asked.toReversed()).slice(offset, offset + limit);
}

function wire({ id, seq, turn, role, content, createdAt, silent, metadata }: MessageRow): ThreadMessage {
  return {
    ...{ id, seq, turn, role, content, created_at: createdAt, status: "completed", silent },
    ...(metadata !== null && { metadata: JSON.parse(metadata) }),
  };
}
