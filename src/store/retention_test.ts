import assert from "node:assert/strict";
import { TestClock } from "../base/mod.ts";
import { type Database, openDatabase } from "../platform/mod.ts";
import { MIGRATIONS } from "./migrations.ts";
import { prune } from "./retention.ts";

const DAY = 24 * 60 * 60 * 1000;
const START = 1_700_000_000_000;

function setUp(): Database {
  const db = openDatabase(":memory:");
  for (const { sql } of MIGRATIONS) db.exec(sql);
  return db;
}

function add(db: Database, times: readonly number[]): void {
  const sql = `INSERT INTO egress (sandbox, host, port, started_at, duration_ms, sent_bytes, received_bytes)
    VALUES ('a', 'b', 1, ?, 0, 0, 0)`;
  for (const time of times) db.run(sql, time);
}

const daily = (from: number, days: number) => Array.from({ length: days }, (_, day) => from + day * DAY);
const left = (db: Database) =>
  db.all("SELECT started_at FROM egress ORDER BY seq").map((row) => Number(row.started_at));

/** 200 days of records, then a busy last day. */
function history(): number[] {
  return [...daily(START, 200), ...Array.from({ length: 120 }, (_, i) => START + 200 * DAY + i * 1000)];
}

Deno.test("what is older than the days to keep goes, in steps", async () => {
  using db = setUp();
  add(db, history());
  const gone = await prune(db, new TestClock(START + 200 * DAY + 200_000), "egress", 30, 7);
  assert.equal(gone, 171);
  assert.equal(left(db)[0], START + 171 * DAY);
  assert.equal(await prune(db, new TestClock(START + 200 * DAY + 200_000), "egress", 30), 0);
});

Deno.test("a clock that jumps decades ahead deletes nothing more", async () => {
  using db = setUp();
  add(db, history());
  await prune(db, new TestClock(START + 200 * DAY + 200_000), "egress", 30);
  const before = left(db).length;
  add(db, Array.from({ length: 20 }, (_, i) => START + 20_000 * DAY + i));
  assert.equal(await prune(db, new TestClock(START + 20_000 * DAY + 60_000), "egress", 30), 0);
  assert.equal(left(db).length, before + 20);
});

Deno.test("rows written while the clock stood at 1970 stay while their neighbours do", async () => {
  using db = setUp();
  const times = history();
  times.splice(250, 0, 0, 1000, 2000);
  add(db, times);
  await prune(db, new TestClock(START + 200 * DAY + 200_000), "egress", 30);
  assert.equal(left(db).filter((time) => time < 10_000).length, 3);
  assert.equal(await prune(db, new TestClock(5000), "egress", 30), 0);
});

Deno.test("rows from a future that never came do not stop the old ones from going", async () => {
  using db = setUp();
  add(db, [START + 20_000 * DAY, ...history()]);
  assert.equal(await prune(db, new TestClock(START + 200 * DAY + 200_000), "egress", 30), 172);
});

Deno.test("an empty table is fine", async () => {
  using db = setUp();
  assert.equal(await prune(db, new TestClock(START), "calls", 30), 0);
});
