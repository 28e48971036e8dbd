import type { HandlerError, LogRow, MessageRow, ThreadRow, ThreadView, TurnRow, WatchEvent } from "$client";
import { client, errorFrom } from "$lib/client.ts";
import { live } from "$lib/live.svelte.ts";
import { type Message, ofRow, ofWire } from "./message.ts";
import { heard, type Now, STILL, without } from "./moments.ts";
import { Rows } from "./rows.svelte.ts";

/** How long a window may be hidden before its connection is given back. */
const HIDDEN_MS = 5_000;
const LONGEST_WAIT_MS = 10_000;
/** What comes within this time is shown together. */
const TOGETHER_MS = 40;
/** How often the thread is looked at as a whole while it changes. */
const LOOK_MS = 400;
/** How deep into sub-prompts is looked. */
const DEPTH = 16;

/** A thread as far as it has been looked at, and everything that happens in it from then on. */
export class Conversation {
  readonly id: string;
  view = $state.raw<ThreadView | undefined>();
  thread = $state.raw<ThreadRow | undefined>();
  now = $state.raw<Now>(STILL);
  error = $state.raw<HandlerError | undefined>();
  /** The last word that came while somebody looks on, to be read out. */
  news = $state.raw<Message | undefined>();
  readonly messages: Rows<Message>;
  readonly turns: Rows<TurnRow>;
  readonly logs: Rows<LogRow>;
  /** The last revision that was taken in: where to go on. */
  #rev = 0;
  #watching: AbortController | undefined;
  #events: WatchEvent[] = [];
  #flushing: ReturnType<typeof setTimeout> | undefined;
  #looking: ReturnType<typeof setTimeout> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #ended = false;

  constructor(id: string) {
    this.id = id;
    const deep = { includeSilent: true, maxDepth: DEPTH };
    this.messages = new Rows(
      async (query) => (await client.threadMessages(id, { ...query, ...deep })).map(ofWire),
      100,
    );
    this.turns = new Rows((query) => client.threadTurns(id, query), 60);
    this.logs = new Rows((query) => client.threadLogs(id, query), 400);
  }

  /** Asks for the newest part, or what is around a message, and follows the thread. @returns what ends that */
  begin(message: string | null): () => void {
    const shown = () => this.#shown();
    const left = () => this.#pause(), back = () => this.#again();
    document.addEventListener("visibilitychange", shown);
    // a page that the browser keeps for its button “back” would keep a connection too
    addEventListener("pagehide", left);
    addEventListener("pageshow", back);
    const forget = live.listen(["threads"], (key) => key === null && this.#again());
    void this.load(message);
    return () => {
      document.removeEventListener("visibilitychange", shown);
      removeEventListener("pagehide", left);
      removeEventListener("pageshow", back);
      forget();
      this.#ended = true;
      this.#pause();
      clearTimeout(this.#looking);
    };
  }

  /** Begins anew. The thread comes first: what changes after it is told by the watch. */
  async load(message: string | null = null): Promise<void> {
    this.#pause();
    try {
      const view = await client.thread(this.id);
      const at = message === null
        ? undefined
        : await client.threadMessage(this.id, message).catch(() => undefined);
      if (at) {
        await Promise.all([
          this.messages.around(at.seq),
          this.turns.around(at.seq),
          this.logs.around(at.seq),
        ]);
      } else await Promise.all([this.messages.newest(), this.turns.newest(), this.logs.newest()]);
      this.#rev = view.thread.seq;
      this.view = view;
      this.thread = view.thread;
      this.error = undefined;
    } catch (thrown) {
      this.error = errorFrom(thrown);
      if (this.error.kind === "unreachable") this.#later(() => this.load(message));
      return;
    }
    if (!this.#ended && !document.hidden) void this.#watch();
  }

  /** Brings a message into the part at hand. @returns whether there is one */
  async reach(message: string): Promise<boolean> {
    if (this.messages.list.some(({ id }) => id === message)) return true;
    const at = await client.threadMessage(this.id, message).catch(() => undefined);
    if (at) await this.messages.around(at.seq);
    return at !== undefined;
  }

  /** Brings the turns around a place into the part at hand. */
  async reachTurns(seq: number): Promise<void> {
    await Promise.all([this.turns.around(seq), this.logs.around(seq)]);
  }

  /** Goes back to what is newest. */
  async newest(): Promise<void> {
    if (!this.messages.last) await this.messages.newest();
    if (!this.turns.last) await Promise.all([this.turns.newest(), this.logs.newest()]);
  }

  /** The turns before those at hand, with their log. */
  async olderTurns(): Promise<void> {
    await this.turns.older();
    const from = this.turns.list[0]?.seq ?? 0;
    while (!this.logs.first && (this.logs.list[0]?.seq ?? 0) > from) await this.logs.older();
  }

  async #watch(): Promise<void> {
    const { signal } = this.#watching = new AbortController();
    try {
      for await (const event of client.threadWatch(this.id, this.#rev, signal)) {
        if (signal.aborted) return;
        this.#failures = 0;
        this.#events.push(event);
        this.#flushing ??= setTimeout(() => this.#flush(), TOGETHER_MS);
      }
    } catch (thrown) {
      // where the connection is lost, what was missed is told once it is there again
      const error = errorFrom(thrown);
      if (error.kind === "not_found" && !signal.aborted) this.#gone(error);
    }
    if (signal.aborted || this.#ended) return;
    this.#watching = undefined;
    this.#flush();
    this.now = STILL;
    this.#later(() => this.#watch());
  }

  /** The thread was removed meanwhile. */
  #gone(error: HandlerError): void {
    this.error = error;
    this.thread = undefined;
    this.#ended = true;
  }

  /** Takes in what has come, all at once. */
  #flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    const events = this.#events;
    this.#events = [];
    const messages: MessageRow[] = [], turns: TurnRow[] = [], logs: LogRow[] = [];
    for (const event of events) {
      if ("id" in event) this.#rev = Math.max(this.#rev, event.id);
      if (event.event === "thread") this.#follow(event.thread);
      else if (event.event === "delta") {
        this.now = heard(this.now, { name: null, data: event.data }, Date.now());
      } else if (event.event === "custom") this.now = heard(this.now, event, Date.now());
      else if (event.change.kind === "message") messages.push(event.change.row);
      else if (event.change.kind === "turn") turns.push(event.change.row);
      else logs.push(event.change.row);
    }
    this.#takeMessages(messages);
    this.turns.take(turns, new Set());
    this.logs.take(logs, new Set());
  }

  #takeMessages(rows: readonly MessageRow[]): void {
    const gone = new Set(rows.filter(({ deleted }) => deleted).map(({ id }) => id));
    const changed = rows.filter(({ id }) => !gone.has(id)).map(ofRow);
    this.now = without(this.now, new Set(rows.map(({ id }) => id)));
    const end = this.messages.list.at(-1)?.seq ?? 0;
    this.news = changed.findLast(({ seq, turn, content }) => seq > end && turn !== null && content !== "") ??
      this.news;
    this.messages.take(changed, gone);
  }

  #follow(thread: ThreadRow): void {
    if (thread.turn !== this.thread?.turn) this.now = STILL;
    this.thread = thread;
    this.#looking ??= setTimeout(() => {
      this.#looking = undefined;
      void client.thread(this.id).then((view) => this.view = view, () => {});
    }, LOOK_MS);
  }

  #shown(): void {
    clearTimeout(this.#timer);
    if (document.hidden) this.#timer = setTimeout(() => this.#pause(), HIDDEN_MS);
    else this.#again();
  }

  /** Connects where nothing is connected. */
  #again(): void {
    if (this.#watching || this.#ended || document.hidden) return;
    clearTimeout(this.#timer);
    if (this.thread) void this.#watch();
    else void this.load();
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#watching?.abort();
    this.#watching = undefined;
    this.#flush();
  }

  #later(work: () => unknown): void {
    clearTimeout(this.#timer);
    if (this.#ended || document.hidden) return;
    this.#timer = setTimeout(work, Math.min(LONGEST_WAIT_MS, 250 * 2 ** this.#failures++));
  }
}
