import { Chance } from "./random.ts";

/** What a handler is to do with a message: the message's content is this as JSON. */
export interface Word {
  /** Its own number in the schedule. */
  readonly n: number;
  readonly do: readonly Deed[];
}

/** One thing that a handler does. */
export type Deed =
  /** `injectMessage` in its own role: the sibling's turn. */
  | { readonly op: "say"; readonly word: Word }
  /** `queueMessage` in the role that it acts on itself. */
  | { readonly op: "queue"; readonly word: Word }
  /** `queueMessage` toward a child. */
  | { readonly op: "down"; readonly child: number; readonly word: Word }
  /** `notifyParent`. */
  | { readonly op: "up"; readonly word: Word }
  /** `scheduleEffect` of one that queues the word. */
  | { readonly op: "later"; readonly ms: number; readonly word: Word }
  /** Deletes a message that waits. */
  | { readonly op: "drop" }
  | { readonly op: "pause"; readonly turns: number }
  | { readonly op: "stop" }
  | { readonly op: "throw" };

/** One thing that happens to the whole. */
export type Event =
  | { readonly op: "send"; readonly thread: number; readonly side: "a" | "b"; readonly word: Word }
  /** Lets so many turns of the event loop pass. */
  | { readonly op: "run"; readonly turns: number }
  | { readonly op: "rest" }
  | { readonly op: "kill host" }
  | { readonly op: "kill daemon" }
  | { readonly op: "restart" }
  | { readonly op: "reload" }
  /** The wall clock alone is set. */
  | { readonly op: "jump"; readonly ms: number }
  | { readonly op: "tick"; readonly ms: number }
  | { readonly op: "stop"; readonly thread: number }
  | { readonly op: "resume"; readonly thread: number }
  | { readonly op: "terminate"; readonly thread: number };

/** The threads of every schedule: at these places lies one of each agent. */
export const AGENTS = ["desk", "pair", "desk_capped", "pair_capped", "top"] as const;
/** Agents whose sessions no handler ends, so that their caps can be foretold. */
const CAPPED: readonly string[] = ["desk_capped", "pair_capped"];

/** A schedule by its seed. */
export function scheduleOf(seed: number): readonly Event[] {
  const chance = new Chance(seed);
  const words = { n: 0 };
  return Array.from({ length: chance.whole(8, 30) }, () => eventOf(chance, words));
}

function eventOf(chance: Chance, words: { n: number }): Event {
  const thread = chance.whole(0, AGENTS.length - 1);
  const ms = chance.whole(0, 4000);
  return chance.weighted<() => Event>([
    [60, () => {
      const agent = AGENTS[thread]!;
      const side = agent.startsWith("pair") && chance.next() < 0.3 ? "a" : "b";
      return { op: "send", thread, side, word: wordOf(chance, words, agent, 3) };
    }],
    [16, () => ({ op: "run", turns: chance.whole(0, 12) })],
    [4, () => ({ op: "rest" })],
    [6, () => ({ op: "kill host" })],
    [6, () => ({ op: "kill daemon" })],
    [2, () => ({ op: "restart" })],
    [3, () => ({ op: "reload" })],
    [3, () => ({ op: "jump", ms: ms * 1000 * (chance.next() < 0.5 ? 1 : -1) })],
    [4, () => ({ op: "tick", ms })],
    [2, () => ({ op: "stop", thread })],
    [2, () => ({ op: "resume", thread })],
    [0.5, () => ({ op: "terminate", thread })],
  ])();
}

function wordOf(chance: Chance, words: { n: number }, agent: string, depth: number): Word {
  const n = ++words.n;
  const deeds = depth === 0 ? 0 : chance.whole(0, 3);
  return { n, do: Array.from({ length: deeds }, () => deedOf(chance, words, agent, depth - 1)) };
}

function deedOf(chance: Chance, words: { n: number }, agent: string, depth: number): Deed {
  const word = (of = agent) => wordOf(chance, words, of, depth);
  const isTop = agent === "top", isChild = agent.startsWith("child");
  return chance.weighted<() => Deed>([
    [24, () => ({ op: "say", word: word() })],
    [14, () => ({ op: "queue", word: word() })],
    [isTop ? 30 : 0, () => {
      const child = chance.whole(0, 1);
      return { op: "down", child, word: word(`child${child}`) };
    }],
    [isChild ? 20 : 0, () => ({ op: "up", word: word("top") })],
    [8, () => ({ op: "later", ms: chance.whole(0, 3000), word: word() })],
    [4, () => ({ op: "drop" })],
    [24, () => ({ op: "pause", turns: chance.whole(0, 5) })],
    [CAPPED.includes(agent) ? 0 : 5, () => ({ op: "stop" })],
    [8, () => ({ op: "throw" })],
  ])();
}

/** Smaller schedules: without some events, without some deeds. */
export function* smaller(events: readonly Event[]): Generator<readonly Event[]> {
  for (let size = Math.ceil(events.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < events.length; at += size) {
      yield [...events.slice(0, at), ...events.slice(at + size)];
    }
  }
  for (const [at, event] of events.entries()) {
    if (event.op !== "send") continue;
    for (const word of smallerWords(event.word)) yield events.with(at, { ...event, word });
  }
}

function* smallerWords(word: Word): Generator<Word> {
  for (const [at, deed] of word.do.entries()) {
    yield { ...word, do: word.do.toSpliced(at, 1) };
    if (!("word" in deed)) continue;
    for (const inner of smallerWords(deed.word)) {
      yield { ...word, do: word.do.with(at, { ...deed, word: inner }) };
    }
  }
}

/** A schedule to read. */
export function shown(events: readonly Event[]): string {
  return events.map((event) => {
    if (event.op === "send") {
      return `send ${event.side} of ${AGENTS[event.thread]}: ${wordText(event.word)}`;
    }
    const { op, ...rest } = event;
    const values = Object.entries(rest).map(([key, value]) =>
      key === "thread" ? AGENTS[Number(value)] : value
    );
    return [op, ...values].join(" ");
  }).map((line, at) => `  ${at + 1}. ${line}`).join("\n");
}

function wordText({ n, do: deeds }: Word): string {
  const parts = deeds.map((deed) => {
    const { op, ...rest } = deed;
    return [
      op,
      ...Object.entries(rest).map(([key, value]) => key === "word" ? wordText(value as Word) : value),
    ]
      .join(" ");
  });
  return parts.length === 0 ? `#${n}` : `#${n}{${parts.join("; ")}}`;
}
