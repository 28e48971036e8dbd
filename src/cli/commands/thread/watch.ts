import { HandlerError, type Json } from "../../../base/mod.ts";
import type { MessageRow, WatchEvent } from "../../../client/mod.ts";
import { type Command, type Context, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { interruptible } from "../../interrupt.ts";
import { SaidLive } from "../../said_live.ts";
import { oneLine } from "../../text.ts";
import { untilRest } from "../../thread_rest.ts";
import { numberOption, THREAD_ARGUMENT } from "../../thread_words.ts";
import { localTime } from "../../time.ts";
import { messageText, ofRow, ofWire, rowTime, stateText } from "../../thread_views.ts";

const RECENT = 20;

/** `handler thread watch` */
export const threadWatch: Command = {
  words: ["thread", "watch"],
  summary: "show a thread's messages as they come",
  description:
    `Shows the last messages of a thread, then each one as it comes, turns that fail and what the definitions emit,
until Ctrl-C or, with --until-idle, until nothing goes on in the thread or its children.

With --from everything that has changed since that revision is shown first: 0 for all, or the \`id\` of the last event seen.
On a terminal an answer of a model is written as it is made. With --json each event is a line of its own with its \`id\`; pieces
of an answer come as events \`delta\`.`,
  args: [THREAD_ARGUMENT],
  options: [
    { name: "from", value: "REVISION", help: "begin with what has changed since" },
    { name: "until-idle", help: "end when nothing goes on any more" },
    { name: "silent", help: "silent messages too" },
    JSON_OPTION,
  ],
  examples: [
    { line: "handler thread watch 01jdz…", does: "the last messages, then what comes" },
    { line: "handler thread watch 01jdz… --from 0 --until-idle", does: "all of it, until it rests" },
  ],
  async run(context) {
    const { daemon, parsed } = context;
    const id = parsed.arg("THREAD");
    const from = numberOption(context, "from", 0);
    using interrupt = interruptible();
    const { thread } = await daemon.thread(id);
    const printer = new Printer(context);
    if (from === undefined && !context.output.json) await printer.recent(id);
    const after = from ?? thread.seq;
    const show = (event: WatchEvent) => printer.show(event);
    if (parsed.flag("until-idle")) {
      await untilRest(daemon, id, after, interrupt.signal, show).catch(quietly(interrupt.signal));
      return EXIT.done;
    }
    for await (const event of daemon.threadWatch(id, after, interrupt.signal)) show(event);
    if (interrupt.signal.aborted) return EXIT.done;
    throw new HandlerError("unreachable", "handlerd ended the watch", {
      hint: `go on with handler thread watch ${id} --from ${printer.last}`,
    });
  },
};

function quietly(signal: AbortSignal): (error: unknown) => void {
  return (error) => {
    if (!signal.aborted) throw error;
  };
}

/** Prints events of a thread, each message once. */
class Printer {
  /** The last revision that was shown. */
  last = 0;
  readonly #context: Context;
  readonly #shown = new Map<string, string | null>();
  readonly #live: SaidLive | undefined;
  #state = "";

  constructor(context: Context) {
    this.#context = context;
    const { terminal, clock } = context;
    const heading = (prompt: string) => this.#heading()(`${localTime(clock.now())}  ${oneLine(prompt)}`);
    const place = { out: (text: string) => terminal.out(text), heading };
    this.#live = terminal.columns === undefined ? undefined : new SaidLive(place);
  }

  /** The newest messages, the oldest of them first. */
  async recent(id: string): Promise<void> {
    const page = { limit: RECENT, offset: 0, order: "desc", includeSilent: this.#silent() } as const;
    const messages = await this.#context.daemon.threadMessages(id, page);
    for (const message of messages.toReversed()) {
      this.#shown.set(message.id, message.content);
      this.#out(messageText(ofWire(message), this.#heading()));
    }
  }

  show(event: WatchEvent): void {
    if ("id" in event) this.last = Math.max(this.last, event.id);
    if (this.#context.output.json) this.#context.output.jsonLine({ schema: 1, ...event } as unknown as Json);
    else if (event.event === "thread") this.#status(stateText(event.thread));
    else if (event.event === "custom") this.#note(`${event.name}: ${oneLine(JSON.stringify(event.data))}`);
    else if (event.event === "change") this.#change(event.change);
    else this.#live?.take(event.data);
  }

  #change(change: Extract<WatchEvent, { event: "change" }>["change"]): void {
    if (change.kind === "message") return this.#message(change.row);
    if (change.kind === "log") {
      if (change.row.error) this.#note(`${change.row.kind} failed: ${oneLine(change.row.error.message)}`);
      return;
    }
    const { state, error, startedAt, name } = change.row;
    if (state === "failed" || state === "interrupted" || state === "aborted") {
      this.#note(
        `${rowTime(startedAt)}  the turn of ${name} ${WORDS[state]}: ${oneLine(error?.message ?? "")}`,
      );
    }
  }

  #message(row: MessageRow): void {
    const before = this.#shown.get(row.id);
    const known = this.#shown.has(row.id);
    if (
      row.depth > 0 || (row.silent && !this.#silent()) || (known && !row.deleted && before === row.content)
    ) return;
    if (row.deleted && !known) return;
    this.#shown.set(row.id, row.content);
    if (this.#live?.isWhole(row.id, row.content)) return;
    const shown = ofRow(row);
    const how = row.deleted ? ["deleted"] : known ? ["changed"] : [];
    const content = row.deleted ? null : shown.content;
    this.#out(messageText({ ...shown, content, notes: [...how, ...shown.notes] }, this.#heading()));
  }

  #status(state: string): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#note(state);
  }

  #silent(): boolean {
    return this.#context.parsed.flag("silent");
  }

  #heading(): (text: string) => string {
    return (text) => this.#context.output.style("bold", text);
  }

  #out(text: string): void {
    this.#live?.breakOff();
    this.#context.terminal.out(text);
  }

  #note(text: string): void {
    this.#live?.breakOff();
    this.#context.output.note(oneLine(text));
  }
}

const WORDS = { failed: "failed", interrupted: "was interrupted", aborted: "was stopped" } as const;
