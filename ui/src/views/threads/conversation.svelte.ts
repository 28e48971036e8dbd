import type { HandlerError, Json, LogRow, ThreadRow, ThreadView, TurnRow, WatchEvent } from "$client";
import { client, errorFrom } from "$lib/client.ts";
import { type Message, ofRow, ofWire } from "./message.ts";

const PAGE = 100;
const HIDDEN_MS = 5_000;
const AGAIN_MS = 1_000;

/** What a model is saying, before it is a message. */
export interface Saying {
  readonly prompt: string;
  readonly text: string;
}

/** A thread as far as it has been looked at, and everything that happens in it from then on. */
export class Conversation {
  view = $state.raw<ThreadView | undefined>();
  thread = $state.raw<ThreadRow | undefined>();
  messages = $state.raw<readonly Message[]>([]);
  turns = $state.raw<readonly TurnRow[]>([]);
  logs = $state.raw<readonly LogRow[]>([]);
  saying = $state.raw<Saying | undefined>();
  error = $state.raw<HandlerError | undefined>();
  /** Whether the first message is there. */
  whole = $state(false);
  loadingOlder = $state(false);
  readonly #id: string;
  #rev = 0;
  #seen = 0;
  #watching: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  constructor(id: string) {
    this.#id = id;
  }

  /** Asks for the newest part and follows the thread. @returns what ends that */
  begin(): () => void {
    const shown = () => this.#shown();
    document.addEventListener("visibilitychange", shown);
    void this.reload();
    return () => {
      document.removeEventListener("visibilitychange", shown);
      this.#ended = true;
      this.#pause();
    };
  }

  /** Begins anew with the newest part. */
  async reload(): Promise<void> {
    this.#pause();
    try {
      const [view, messages, turns, logs] = await Promise.all([
        client.thread(this.#id),
        client.threadMessages(this.#id, { limit: PAGE, offset: 0, order: "desc", includeSilent: true }),
        client.threadTurns(this.#id, { limit: PAGE, offset: 0, order: "desc" }),
        client.threadLogs(this.#id, { limit: PAGE, offset: 0, order: "desc" }),
      ]);
      this.view = view;
      this.thread = view.thread;
      this.#rev = view.thread.seq;
      this.messages = messages.map(ofWire).toReversed();
      this.#seen = messages.length;
      this.whole = messages.length < PAGE;
      this.turns = turns.toReversed();
      this.logs = logs.toReversed();
      this.error = undefined;
    } catch (thrown) {
      this.error = errorFrom(thrown);
      if (this.error.kind === "unreachable") this.#later(() => this.reload());
      return;
    }
    if (!this.#ended) void this.#watch();
  }

  /** The part before the oldest message. */
  async older(): Promise<void> {
    if (this.whole || this.loadingOlder) return;
    this.loadingOlder = true;
    try {
      const query = { limit: PAGE, offset: this.#seen, order: "desc", includeSilent: true } as const;
      const page = (await client.threadMessages(this.#id, query)).map(ofWire).toReversed();
      const known = new Set(this.messages.map(({ id }) => id));
      this.#seen += page.length;
      this.messages = [...page.filter(({ id }) => !known.has(id)), ...this.messages];
      this.whole = page.length < PAGE;
    } catch (thrown) {
      this.error = errorFrom(thrown);
    }
    this.loadingOlder = false;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#watching = new AbortController();
    try {
      for await (const event of client.threadWatch(this.#id, this.#rev, signal)) this.#take(event);
    } catch {
      // the connection is lost; what was missed is told once it is there again
    }
    if (signal.aborted || this.#ended) return;
    this.saying = undefined;
    this.#later(() => this.#watch());
  }

  #take(event: WatchEvent): void {
    if ("id" in event) this.#rev = event.id;
    if (event.event === "thread") this.#follow(event.thread);
    else if (event.event === "delta") this.#say(event.data);
    else if (event.event === "change") {
      const { kind, row } = event.change;
      if (kind === "turn") this.turns = put(this.turns, row);
      else if (kind === "log") this.logs = put(this.logs, row);
      else {
        this.saying = undefined;
        if (!this.messages.some(({ id }) => id === row.id)) this.#seen++;
        this.messages = row.deleted
          ? this.messages.filter(({ id }) => id !== row.id)
          : put(this.messages, ofRow(row));
      }
    }
  }

  #follow(thread: ThreadRow): void {
    this.thread = thread;
    if (thread.status !== "running") this.saying = undefined;
    void client.thread(this.#id).then((view) => this.view = view, () => {});
  }

  /** Pieces of an answer, one after the other; a piece that says `void` takes back what came before. */
  #say(data: Json): void {
    const { type, text, prompt, progress } = (data ?? {}) as Record<string, unknown>;
    const words = typeof text === "string" ? text : typeof progress === "string" ? progress : "";
    const before = type === "piece" ? this.saying?.text ?? "" : "";
    this.saying = type === "void" || words === "" && type !== "piece"
      ? undefined
      : { prompt: typeof prompt === "string" ? prompt : "", text: before + words };
  }

  #shown(): void {
    clearTimeout(this.#timer);
    if (document.hidden) this.#timer = setTimeout(() => this.#pause(), HIDDEN_MS);
    else if (!this.#watching) void this.#watch();
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#watching?.abort();
    this.#watching = undefined;
  }

  #later(work: () => unknown): void {
    clearTimeout(this.#timer);
    if (!this.#ended) this.#timer = setTimeout(work, AGAIN_MS);
  }
}

/** Puts a row in the place of the one with its id, else at the end. */
function put<T extends { readonly id: string }>(rows: readonly T[], row: T): readonly T[] {
  const at = rows.findLastIndex(({ id }) => id === row.id);
  return at === -1 ? [...rows, row] : rows.with(at, row);
}
