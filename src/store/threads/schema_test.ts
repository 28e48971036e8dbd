import assert from "node:assert/strict";
import { systemClock } from "../../base/mod.ts";
import { type Database, openDatabase } from "../../platform/mod.ts";
import { changeReads } from "./changes.ts";
import { effectReads } from "./effect_rows.ts";
import { logReads } from "./log_rows.ts";
import { messageReads, messageWrites } from "./message_rows.ts";
import { THREAD_MIGRATIONS } from "./schema.ts";
import type { Statements } from "./statements.ts";
import { messageRow, threadRow, turnRow } from "./testing.ts";
import { ThreadCache } from "./thread_cache.ts";
import { threadReads, threadWrites } from "./thread_rows.ts";
import { turnReads, turnWrites } from "./turn_rows.ts";

const MANY = 100_000;

function database(): Database {
  const db = openDatabase(":memory:");
  for (const { sql } of THREAD_MIGRATIONS) db.exec(sql);
  return db;
}

/** Statements that note how SQLite finds what they ask for. */
function explained(db: Database): { readonly statements: Statements; readonly plans: string[] } {
  const plans: string[] = [];
  const note = (sql: string, values: Parameters<Statements["get"]>[1][]) => {
    for (const { detail } of db.all(`EXPLAIN QUERY PLAN ${sql}`, ...values)) plans.push(`${detail}: ${sql}`);
  };
  const statements: Statements = {
    run: db.run,
    all: (sql, ...values) => (note(sql, values), db.all(sql, ...values)),
    get: (sql, ...values) => (note(sql, values), db.get(sql, ...values)),
  };
  return { statements, plans };
}

/** In milliseconds. The least of what walks through 100,000 rows is several times that. */
const AT_ONCE = 5;

/** The least of several times, in milliseconds: what the work needs, whatever else the machine does. */
function best(work: () => unknown): number {
  const times = Array.from({ length: 15 }, () => {
    const at = performance.now();
    work();
    return performance.now() - at;
  });
  return Math.min(...times);
}

Deno.test("no read walks through a table, and none of a thread's rows are sorted", () => {
  using db = database();
  const { statements, plans } = explained(db);
  const threads = new ThreadCache(statements);
  threadWrites(statements, threads, systemClock).insertThread(threadRow("t1", { person: "ada" }));
  messageWrites(statements, threads).insertMessage(messageRow(1));
  turnWrites(statements, threads).insertTurn(turnRow(2));
  const messages = messageReads(statements, threads), turns = turnReads(statements, threads);
  const logs = logReads(statements, threads), all = threadReads(statements, threads);
  threads.flush();
  threads.forget();
  all.thread("t1");
  all.threads({ limit: 9, offset: 0, project: "desk" });
  all.children("t1");
  all.unfinished("desk");
  all.unfinished(undefined);
  messages.message("t1", "m1");
  messages.nextInbound("t1", "user", 0);
  messages.lastMessage("t1");
  messages.lastMessage("t1", "user");
  messages.messages("t1", { limit: 9, offset: 0, order: "desc", includeSilent: false, maxDepth: 0 });
  turns.turns("t1", { limit: 9, offset: 0, order: "asc" });
  turns.turn("u2");
  logs.log("l1");
  logs.logs("t1", { limit: 9, offset: 0, order: "desc" });
  changeReads(statements, threads).changesAfter("t1", 0, 9);
  effectReads(statements, threads).effect("e1");
  effectReads(statements, threads).pendingEffects(undefined);
  effectReads(statements, threads).pendingEffects("t1");
  effectReads(statements, threads).processingEffects();
  assert.ok(plans.length > 20);
  const walks = plans.filter((plan) => /^SCAN/.test(plan) && !/USING (COVERING )?INDEX .*: /.test(plan));
  assert.deepEqual(walks, []);
  assert.deepEqual(plans.filter((plan) => /TEMP B-TREE/.test(plan)), []);
});

Deno.test("one of 100,000 messages is found as quickly as one of few", () => {
  using db = database();
  const threads = new ThreadCache(db);
  threadWrites(db, threads, systemClock).insertThread(threadRow("t1"));
  const { insertMessage } = messageWrites(db, threads);
  db.transaction(() => {
    for (let seq = 1; seq < MANY; seq++) insertMessage(messageRow(seq));
    insertMessage(messageRow(MANY, { role: "assistant" }));
    threads.flush();
  });
  const page = { limit: 100, offset: 0, order: "desc", includeSilent: false, maxDepth: 0 } as const;
  const of = () => messageReads(db, new ThreadCache(db));
  const seen = MANY - 2;
  assert.equal(of().nextInbound("t1", "user", seen)?.seq, MANY - 1);
  assert.equal(of().messages("t1", page)[99]?.seq, MANY - 99);
  assert.equal(of().countMessages("t1", page), MANY);
  const times = {
    open: best(() => threadReads(db, new ThreadCache(db)).thread("t1")),
    next: best(() => of().nextInbound("t1", "user", seen)),
    none: best(() => of().nextInbound("t1", "user", MANY)),
    list: best(() => of().messages("t1", page)),
    last: best(() => of().lastMessage("t1", "user")),
    count: best(() => of().countMessages("t1", page)),
    changes: best(() => changeReads(db, new ThreadCache(db)).changesAfter("t1", MANY - 100, 100)),
  };
  for (const [name, ms] of Object.entries(times)) assert.ok(ms < AT_ONCE, `${name} took ${ms} ms`);
});

Deno.test("among 10,000 threads that rest, the unfinished ones are found at once", () => {
  using db = database();
  const threads = new ThreadCache(db);
  const { insertThread, saveThread } = threadWrites(db, threads, systemClock);
  const { insertMessage } = messageWrites(db, threads);
  db.transaction(() => {
    for (let i = 0; i < 10_000; i++) {
      const thread = `t${i}`;
      insertThread(threadRow(thread));
      insertMessage(messageRow(1, { thread }));
      if (i !== 77) saveThread(threadRow(thread, { seq: 1, seenA: 1 }));
    }
    threads.flush();
  });
  const { unfinished } = threadReads(db, threads);
  assert.deepEqual(unfinished("desk"), ["t77"]);
  assert.deepEqual(unfinished(undefined), ["t77"]);
  assert.ok(best(() => unfinished("desk")) < AT_ONCE);
});
