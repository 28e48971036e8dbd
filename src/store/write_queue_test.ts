import assert from "node:assert/strict";
import { makeLogger, TestClock } from "../base/mod.ts";
import { openDatabase } from "../platform/mod.ts";
import { WriteQueue } from "./write_queue.ts";

function setUp(limit = 1000) {
  const lines: string[] = [];
  const clock = new TestClock();
  const db = openDatabase(":memory:");
  db.exec("CREATE TABLE rows (body TEXT)");
  const log = makeLogger((level, message, fields) =>
    lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  );
  const queue = new WriteQueue({ db, clock, log, delayMs: 25, retryMs: 1000, limit });
  const add = (body = "x".repeat(3000)) => queue.add(() => db.run("INSERT INTO rows VALUES (?)", body));
  const count = () => Number(db.get("SELECT count(*) AS n FROM rows")?.n);
  const setPages = (pages: number) => db.get(`PRAGMA max_page_count = ${pages}`);
  return { lines, clock, db, queue, add, count, setPages };
}

Deno.test("a full disk is said once, harms nothing, and what waited is written when there is room", () => {
  const { lines, clock, db, queue, add, count, setPages } = setUp();
  add();
  queue.flush();
  setPages(Number(db.get("PRAGMA page_count")?.page_count));
  for (let i = 0; i < 5; i++) {
    add();
    clock.tick(1000);
  }
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /^error records cannot be stored.*full/);
  assert.equal(count(), 1);
  assert.equal(db.get("PRAGMA integrity_check")?.integrity_check, "ok");
  setPages(10_000);
  clock.tick(1000);
  assert.equal(count(), 6);
  assert.match(lines[1]!, /^info records are stored again {"lost":0}/);
  db.close();
});

Deno.test("what waits while the disk is full is bounded, the oldest go first", () => {
  const { lines, clock, db, queue, add, count, setPages } = setUp(10);
  setPages(Number(db.get("PRAGMA page_count")?.page_count));
  for (let i = 0; i < 25; i++) add(`${i}`.padEnd(3000, "."));
  clock.tick(25);
  setPages(10_000);
  assert.equal(queue.flush(), true);
  assert.equal(count(), 10);
  assert.equal(String(db.get("SELECT min(substr(body, 1, 2)) AS b FROM rows")?.b), "15");
  assert.match(lines.at(-1)!, /"lost":15/);
  db.close();
});

Deno.test("what the disk refuses to the end is counted in the log", () => {
  const { lines, db, queue, add, setPages } = setUp();
  setPages(Number(db.get("PRAGMA page_count")?.page_count));
  add();
  add();
  queue.close();
  add();
  assert.match(lines.at(-1)!, /records were lost {"lost":2}/);
  db.close();
});
