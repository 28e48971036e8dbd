import assert from "node:assert/strict";
import type { MessageRow, SessionRow, ThreadRow, TurnRow } from "../../../src/store/mod.ts";
import { after, begun, type ModelEvent, type ModelThread, next } from "./machine.ts";
import { modelAgent } from "./project.ts";
import type { Aftermath } from "./run.ts";
import type { Word } from "./schedule.ts";

/** One thread with all its rows. */
interface Left {
  readonly thread: ThreadRow;
  readonly messages: readonly MessageRow[];
  readonly turns: readonly TurnRow[];
  readonly sessions: readonly SessionRow[];
}

interface BeginNote {
  readonly kind: "begin";
  readonly message: string;
  readonly version: number;
}

interface LaterNote {
  readonly kind: "later";
  readonly n: number;
  readonly effect: string;
}

/** Compares what a schedule left with the model, thread by thread, and with what the outside was told. @throws what differs */
export function judge(aftermath: Aftermath): void {
  const { store } = aftermath.bench;
  const lefts = store.threads({ limit: 1000, offset: 0 }).map((thread): Left => {
    const changes = store.changesAfter(thread.id, 0, 1_000_000);
    return {
      thread,
      messages: changes.flatMap((change) => change.kind === "message" ? [change.row] : [])
        .sort((one, other) => one.seq - other.seq),
      turns: changes.flatMap((change) => change.kind === "turn" ? [change.row] : [])
        .sort((one, other) => one.seq - other.seq),
      sessions: store.sessions(thread.id),
    };
  });
  for (const left of lefts) {
    const name = `${left.thread.agent}: `;
    try {
      judgeOrder(left, aftermath);
      judgeSessions(left);
    } catch (error) {
      throw new Error(name + (error instanceof Error ? error.message : error), { cause: error });
    }
  }
  judgeSent(lefts, aftermath);
  judgeInvocations(lefts, aftermath);
  judgeWritten(lefts);
  judgeEffects(lefts, aftermath);
  judgeReports(lefts);
}

/** The thread's own sequence, told to the model. */
function judgeOrder(left: Left, { quiet, sent }: Aftermath): void {
  const { thread } = left;
  let model: ModelThread = begun(modelAgent(thread.agent));
  for (const { event } of eventsOf(left, sent)) model = after(model, event);
  assert.equal(model.turn, null, "a turn never ended");
  assert.equal(thread.turn, null, "the thread has a turn under way");
  const lost = thread.terminatedAt === null ? next(model) : undefined;
  assert.equal(lost, undefined, `message ${lost?.seq} was never given to side ${lost?.side}`);
  for (const { from, to } of quiet.filter((one) => one.thread === thread.id)) {
    const early = left.turns.find(({ seq }) => seq > from && seq <= to);
    assert.equal(
      early,
      undefined,
      `a turn began at ${early?.seq}, the thread was stopped from ${from} to ${to}`,
    );
  }
  if (modelAgent(thread.agent).cap !== undefined && thread.terminatedAt === null) {
    assert.equal(left.sessions.length, model.sessions, "sessions");
    const capped = left.sessions.filter(({ reason }) => reason === "max_session_turns");
    assert.deepEqual(capped.map(({ number }) => number), model.capped, "sessions that the cap ended");
  }
}

function eventsOf(
  left: Left,
  sent: Aftermath["sent"],
): readonly { readonly at: number; readonly event: ModelEvent }[] {
  const lastOf = new Map(left.turns.map(({ session, id }) => [session, id]));
  const byId = new Map(left.messages.map((message) => [message.id, message.seq]));
  const all: { at: number; event: ModelEvent }[] = [];
  for (const row of left.messages) {
    const { seq, role, turn, metadata, deleted, rev } = row;
    assert.ok(role === "user" || role === "assistant");
    // a message that was deleted has no metadata any more
    const side = metadata?.includes(`"sent":true`)
      ? JSON.parse(metadata).side
      : sent.find(({ id }) => id === row.id)?.side;
    const byHuman = side !== undefined && modelAgent(left.thread.agent)[side as "a" | "b"] === "human";
    all.push({ at: seq, event: { kind: "message", seq, role, outside: turn === null, byHuman } });
    if (deleted) all.push({ at: rev, event: { kind: "deleted", seq } });
  }
  for (const { seq, rev, id, side, messageId, state, session } of left.turns) {
    all.push({ at: seq, event: { kind: "begin", turn: id, side, message: byId.get(messageId) ?? -1 } });
    if (state === "running") continue;
    const { reason } = left.sessions.find(({ number }) => number === session) ?? {};
    const stopsSession = lastOf.get(session) === id && reason === "state_stop_session";
    all.push({ at: rev, event: { kind: "end", turn: id, stopsSession } });
  }
  return all.sort((one, other) => one.at - other.at);
}

function judgeSessions({ sessions, turns, thread }: Left): void {
  assert.deepEqual(
    sessions.map(({ number }) => number),
    sessions.map((_, index) => index + 1),
    "session numbers",
  );
  for (const { number, closedAt } of sessions) {
    const open = number === thread.session && thread.sessionOpen;
    assert.equal(closedAt === null, open, `session ${number} is closed`);
  }
  for (const [index, { session }] of turns.entries()) {
    assert.ok(session >= (turns[index - 1]?.session ?? 1), "sessions of turns never go back");
  }
}

const numberOf = ({ content, deleted }: MessageRow): number | undefined => {
  if (deleted || content === null || !content.startsWith("{")) return undefined;
  return (JSON.parse(content) as Word).n;
};

/** What was acknowledged is there, once, in order; what was not is there once at most. */
function judgeSent(lefts: readonly Left[], { sent }: Aftermath): void {
  const places = new Map<number, number>();
  for (const { messages } of lefts) {
    for (const row of messages) {
      const n = numberOf(row);
      if (n === undefined) continue;
      assert.ok(!places.has(n), `word #${n} is there twice`);
      places.set(n, row.seq);
    }
  }
  for (const one of sent) {
    if (one.told === undefined) continue;
    const mine = lefts.find(({ thread }) => thread.id === one.thread);
    const place = places.get(one.word.n);
    const dropped = mine?.messages.some(({ deleted }) => deleted);
    if (!dropped) assert.notEqual(place, undefined, `word #${one.word.n} was acknowledged and is lost`);
    for (const later of sent) {
      const other = places.get(later.word.n);
      if (later.thread !== one.thread || later.asked < one.told) continue;
      if (place === undefined || other === undefined) continue;
      assert.ok(
        place < other,
        `word #${later.word.n} was sent after #${one.word.n} was there, and stands before it`,
      );
    }
  }
}

/** A function was called once for each turn; for one that died before it began, never. */
function judgeInvocations(lefts: readonly Left[], { bench, version, last }: Aftermath): void {
  const calls = new Map<string, BeginNote[]>();
  for (const note of bench.probe.notes as readonly (BeginNote | LaterNote)[]) {
    if (note.kind !== "begin") continue;
    calls.set(note.message, [...calls.get(note.message) ?? [], note]);
  }
  for (const { turns, messages } of lefts) {
    assert.equal(
      new Set(turns.map(({ messageId }) => messageId)).size,
      turns.length,
      "two turns for one message",
    );
    for (const { messageId, state } of turns) {
      const count = calls.get(messageId)?.length ?? 0;
      if (state === "done" || state === "failed") {
        assert.equal(count, 1, `a turn that is ${state} ran ${count} times`);
      } else assert.ok(count <= 1, `a turn that is ${state} ran ${count} times`);
    }
    const finals = messages.filter((row) => last.includes(numberOf(row) ?? -1));
    for (const { id } of finals) assert.equal(calls.get(id)?.[0]?.version, version, "the last version runs");
  }
  const known = new Set(lefts.flatMap(({ turns }) => turns.map(({ messageId }) => messageId)));
  for (const message of calls.keys()) assert.ok(known.has(message), `${message} was given without a turn`);
}

/** What each turn wrote, of what its word says: all of it, or as far as it came. */
function judgeWritten(lefts: readonly Left[]): void {
  const all = lefts.flatMap(({ messages }) => messages);
  const there = new Map(all.map((row) => [numberOf(row), row]));
  const isDropped = all.some(({ deleted }) => deleted);
  const isOver = lefts.some(({ thread }) => thread.terminatedAt !== null);
  for (const { messages, turns } of lefts) {
    for (const turn of turns) {
      const row = messages.find(({ id }) => id === turn.messageId);
      if (!row?.content?.startsWith("{")) continue;
      const word = JSON.parse(row.content) as Word;
      const thrown = word.do.findIndex(({ op }) => op === "throw");
      const deeds = thrown < 0 ? word.do : word.do.slice(0, thrown);
      if (turn.state === "done") assert.ok(thrown < 0, `the turn of #${word.n} should have failed`);
      if (turn.state === "failed") {
        assert.ok(thrown >= 0, `the turn of #${word.n} failed: ${turn.error?.message}`);
      }
      const written = deeds.flatMap((deed) =>
        "word" in deed && deed.op !== "later" ? [there.get(deed.word.n)] : []
      );
      const own = written.filter((one) => one?.thread === turn.thread).map((one) => one?.seq ?? 0);
      assert.deepEqual(own, own.toSorted((one, other) => one - other), `what #${word.n} wrote is in order`);
      if (isDropped || isOver) continue;
      const missing = written.indexOf(undefined);
      const whole = turn.state === "done" || turn.state === "failed";
      assert.ok(missing < 0 || !whole, `of #${word.n} (${turn.state}) the ${missing + 1}. word is lost`);
      assert.ok(
        missing < 0 || written.slice(missing).every((one) => !one),
        `of #${word.n} a word in between is lost`,
      );
    }
  }
}

/** What was scheduled was run once. */
function judgeEffects(lefts: readonly Left[], { bench }: Aftermath): void {
  const all = lefts.flatMap(({ messages }) => messages);
  const isDropped = all.some(({ deleted }) => deleted);
  for (const note of bench.probe.notes as readonly (BeginNote | LaterNote)[]) {
    if (note.kind !== "later") continue;
    const effect = bench.store.effect(note.effect);
    assert.ok(effect, `the effect of #${note.n} was acknowledged and is lost`);
    assert.ok(
      !["pending", "processing"].includes(effect.state),
      `the effect of #${note.n} is ${effect.state}`,
    );
    if (effect.state !== "completed" || isDropped) continue;
    assert.ok(
      all.some((row) => numberOf(row) === note.n),
      `the effect of #${note.n} ran and its word is lost`,
    );
  }
}

/** Each session of a child that reports by itself was reported once. */
function judgeReports(lefts: readonly Left[]): void {
  for (const { thread, sessions } of lefts) {
    if (thread.link?.communication !== "implicit") continue;
    const parent = lefts.find((one) => one.thread.id === thread.link?.parent);
    if (!parent || parent.thread.terminatedAt !== null || parent.messages.some(({ deleted }) => deleted)) {
      continue;
    }
    const closed = sessions.filter(({ closedAt }) => closedAt !== null).length;
    assert.equal(thread.sessionOpen, false, `${thread.agent} rests and its session is open`);
    const reports = parent.messages.filter(({ metadata }) =>
      metadata !== null && JSON.parse(metadata).subagent_id === thread.id && "success" in JSON.parse(metadata)
    );
    assert.equal(reports.length, closed, `reports of ${thread.agent}`);
  }
}
