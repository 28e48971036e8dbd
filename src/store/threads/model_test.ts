/** The store beside a plain model in memory: the same random writes, some of which fail, then every read compared. */
import assert from "node:assert/strict";
import type { MessageRole, MessageRow, ThreadRow, TurnRow } from "./records.ts";
import type { LogRow, SessionRow } from "./records.ts";
import type { MessageQuery, PageQuery, ThreadChange, ThreadStore, ThreadWrites } from "./ports.ts";
import { logRow, memoryStore, messageRow, sessionRow, threadRow, turnRow } from "./testing.ts";

const SEEDS = 20;
const STEPS = 120;
const ROLES: readonly MessageRole[] = ["user", "assistant", "tool", "system"];

/** What a thread is in the model: lists, searched from one end to the other. */
interface Model {
  row: ThreadRow;
  messages: MessageRow[];
  turns: TurnRow[];
  logs: LogRow[];
  sessions: Map<number, SessionRow>;
  values: Map<string, string>;
}

type Random = (below: number) => number;

/** A generator of small whole numbers that a seed decides (mulberry32). */
function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** One change, made to the store in a transaction and to the model once that is committed. */
interface Change {
  readonly store: (tx: ThreadWrites) => void;
  readonly model: () => void;
}

class Play {
  readonly threads = new Map<string, Model>();
  #made = 0;

  constructor(readonly random: Random) {}

  /** Something that a writer might do now. */
  change(): Change {
    const known = [...this.threads.values()];
    const thread = known[this.random(known.length)];
    if (!thread || this.random(12) === 0) return this.#create();
    const choice = this.random(20);
    if (choice < 7) return this.#message(thread);
    if (choice < 9) return this.#saveMessage(thread);
    if (choice < 11) return this.#turn(thread);
    if (choice < 13) return this.#log(thread);
    if (choice < 15) return this.#value(thread);
    if (choice < 16) return this.#session(thread);
    if (choice < 17 && known.length > 3) return this.#remove(thread);
    return this.#saveThread(thread);
  }

  #create(): Change {
    const parent = [...this.threads.keys()][this.random(this.threads.size + 1)];
    const link = parent === undefined ? null : {
      parent,
      relationship: "helper",
      owner: "a" as const,
      communication: "implicit" as const,
      blocking: false,
      spawnGroup: null,
    };
    const row = threadRow(`t${this.#made++}`, {
      link,
      project: this.random(2) ? "desk" : "shop",
      person: this.random(2) ? "ada" : null,
    });
    const made: Model = {
      row,
      messages: [],
      turns: [],
      logs: [],
      sessions: new Map(),
      values: new Map(),
    };
    return { store: (tx) => tx.insertThread(row), model: () => void this.threads.set(row.id, made) };
  }

  #message(model: Model): Change {
    const seq = ++model.row.seq;
    const row = messageRow(seq, {
      thread: model.row.id,
      role: ROLES[this.random(4)]!,
      silent: this.random(4) === 0,
      depth: Math.max(0, this.random(5) - 2),
    });
    return { store: (tx) => tx.insertMessage(row), model: () => void model.messages.push(row) };
  }

  #saveMessage(model: Model): Change {
    const old = model.messages[this.random(model.messages.length)];
    if (!old) return this.#message(model);
    const rev = ++model.row.seq;
    const row = { ...old, rev, content: `changed ${rev}`, deleted: this.random(2) === 0 };
    return {
      store: (tx) => tx.saveMessage(row),
      model: () => model.messages = model.messages.map((other) => other.id === row.id ? row : other),
    };
  }

  #turn(model: Model): Change {
    const rev = ++model.row.seq;
    const running = model.turns.find(({ state }) => state === "running");
    if (!running) {
      const row = turnRow(rev, { thread: model.row.id, id: `turn ${model.row.id} ${rev}` });
      return { store: (tx) => tx.insertTurn(row), model: () => void model.turns.push(row) };
    }
    const row: TurnRow = { ...running, rev, state: "done", endedAt: rev };
    return {
      store: (tx) => tx.saveTurn(row),
      model: () => model.turns = model.turns.map((other) => other.id === row.id ? row : other),
    };
  }

  #log(model: Model): Change {
    const rev = ++model.row.seq;
    const old = model.logs[this.random(model.logs.length * 2 + 1)];
    if (!old) {
      const row = logRow(rev, { thread: model.row.id, id: `log ${model.row.id} ${rev}` });
      return { store: (tx) => tx.insertLog(row), model: () => void model.logs.push(row) };
    }
    const row: LogRow = { ...old, rev, complete: true, latencyMs: rev / 8 };
    return {
      store: (tx) => tx.saveLog(row),
      model: () => model.logs = model.logs.map((other) => other.id === row.id ? row : other),
    };
  }

  #value({ row, values }: Model): Change {
    const key = `k${this.random(4)}`, value = this.random(3) ? String(this.random(99)) : undefined;
    const model = () => void (value === undefined ? values.delete(key) : values.set(key, value));
    return { store: (tx) => tx.putValue(row.id, key, value), model };
  }

  #session({ row, sessions }: Model): Change {
    const session = sessionRow(this.random(3), { thread: row.id, result: String(this.random(99)) });
    return { store: (tx) => tx.putSession(session), model: () => void sessions.set(session.number, session) };
  }

  #remove(model: Model): Change {
    const { id } = model.row;
    return { store: (tx) => tx.removeThread(id), model: () => void this.threads.delete(id) };
  }

  #saveThread(model: Model): Change {
    const { random } = this;
    const changed: ThreadRow = {
      ...model.row,
      seenA: random(model.row.seq + 1),
      seenB: random(model.row.seq + 1),
      turn: random(4) === 0 ? "some turn" : null,
      status: random(2) ? "running" : "idle",
      title: random(3) ? model.row.title : `title ${random(9)}`,
      terminatedAt: random(9) === 0 ? 5 : null,
      turnsA: random(5),
    };
    return { store: (tx) => tx.saveThread(changed), model: () => void (model.row = changed) };
  }
}

/** Asks for some changes at once, a few of which throw afterwards; the model takes over those that were written. */
async function step(store: ThreadStore, play: Play): Promise<void> {
  for (let left = 1 + play.random(4); left > 0; left--) {
    const touched = new Map([...play.threads].map(([id, { row }]) => [id, row.seq]));
    const change = play.change();
    const fails = play.random(6) === 0;
    const bystanders = Array.from(
      { length: play.random(3) },
      () => store.write("process", (tx) => tx.threads({ limit: 3, offset: 0 })),
    );
    const written = store.write(play.random(2) ? "power" : "process", (tx) => {
      change.store(tx);
      if (fails) throw new Error("taken back");
    });
    await Promise.allSettled(bystanders);
    if (!fails) {
      await written;
      change.model();
    } else {
      await assert.rejects(written, /taken back/);
      for (const [id, seq] of touched) play.threads.get(id)!.row.seq = seq;
    }
    await store.write("process", (tx) => {
      for (const { row } of play.threads.values()) tx.saveThread(row);
    });
  }
}

const between = <T>(rows: readonly T[], { limit, offset, order }: PageQuery): readonly T[] =>
  (order === "asc" ? rows : rows.toReversed()).slice(offset, offset + limit);

function compare(store: ThreadStore, play: Play): void {
  const { random } = play;
  const all = [...play.threads.values()];
  const ids = (some: readonly Model[]) => some.map(({ row }) => row.id);
  const page: PageQuery = { limit: 1 + random(9), offset: random(4), order: random(2) ? "asc" : "desc" };
  assert.deepEqual(
    store.threads({ project: "desk", limit: 99, offset: 0 }),
    all.map(({ row }) => row).filter(({ project }) => project === "desk").reverse(),
  );
  assert.deepEqual(store.unfinished(undefined), ids(all.filter(isUnfinished)));
  assert.deepEqual(
    store.unfinished("shop"),
    ids(all.filter((model) => model.row.project === "shop" && isUnfinished(model))),
  );
  for (const model of all) compareThread(store, model, page, random);
}

function compareThread(store: ThreadStore, model: Model, page: PageQuery, random: Random): void {
  const { row: { id, seq }, messages, turns, logs } = model;
  assert.deepEqual(store.thread(id), model.row);
  assert.deepEqual(store.turns(id, page), between(turns, page));
  assert.deepEqual(store.logs(id, page), between(logs, page));
  const query: MessageQuery = { ...page, includeSilent: random(2) === 0, maxDepth: random(3) };
  const wanted = messages.filter((row) =>
    !row.deleted && row.depth <= query.maxDepth && (query.includeSilent || !row.silent)
  );
  assert.deepEqual(store.messages(id, query), between(wanted, query));
  assert.equal(store.countMessages(id, query), wanted.length);
  const after = random(seq + 1);
  for (const role of ROLES) {
    assert.deepEqual(
      store.nextInbound(id, role, after),
      waiting(messages, role).find((row) => row.seq > after),
    );
    assert.deepEqual(store.lastMessage(id, role), waiting(messages, role).at(-1));
  }
  assert.deepEqual(store.lastMessage(id), messages.findLast((row) => row.depth === 0 && !row.deleted));
  assert.deepEqual(store.changesAfter(id, after, page.limit), changes(model, after).slice(0, page.limit));
  assert.deepEqual(store.sessions(id), [...model.sessions.values()].sort((a, b) => a.number - b.number));
  assert.deepEqual(store.values(id), [...model.values].sort().map(([key, value]) => ({ key, value })));
}

const waiting = (messages: readonly MessageRow[], role: MessageRole) =>
  messages.filter((row) => row.role === role && row.depth === 0 && !row.deleted);

function isUnfinished({ row, messages }: Model): boolean {
  const behind = (role: MessageRole, seen: number) => waiting(messages, role).some(({ seq }) => seq > seen);
  return row.turn !== null ||
    (row.terminatedAt === null &&
      (row.status === "running" || behind("user", row.seenA) || behind("assistant", row.seenB)));
}

function changes({ messages, turns, logs }: Model, after: number): ThreadChange[] {
  const all: ThreadChange[] = [
    ...messages.map((row) => ({ rev: row.rev, kind: "message" as const, row })),
    ...turns.map((row) => ({ rev: row.rev, kind: "turn" as const, row })),
    ...logs.map((row) => ({ rev: row.rev, kind: "log" as const, row })),
  ];
  return all.filter(({ rev }) => rev > after).sort((a, b) => a.rev - b.rev);
}

Deno.test(`the store gives what a plain model gives, after ${SEEDS} random plays`, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const play = new Play(randomFrom(seed));
    using store = await memoryStore();
    for (let i = 0; i < STEPS; i++) {
      await step(store, play);
      if (i % 8 === 7) assert.doesNotThrow(() => compare(store, play), `seed ${seed}, step ${i}`);
    }
  }
});
