import assert from "node:assert/strict";
import { HandlerError, makeLogger, silentLogger, TestClock } from "../../base/mod.ts";
import { type Database, openDatabase } from "../../platform/mod.ts";
import { GroupCommit } from "./group_commit.ts";

/** A group commit over a database in memory; `log` is what reached the database, transactions and notes. */
function setUp() {
  const db = openDatabase(":memory:");
  db.exec("CREATE TABLE notes (text TEXT NOT NULL UNIQUE) STRICT");
  const seen: string[] = [];
  const lines: string[] = [];
  const failNext: Error[] = [];
  const watched: Database = {
    ...db,
    transaction: (work) => counted("power", () => db.transaction(work)),
    relaxed: (work) => counted("process", () => db.relaxed(work)),
  };
  const counted = <T>(name: string, transaction: () => T): T => {
    seen.push(name);
    const failure = failNext.shift();
    if (failure) throw failure;
    return transaction();
  };
  const clock = new TestClock();
  const log = makeLogger((level, message) => lines.push(`${level} ${message}`));
  const takenBack = () => void seen.push("taken back");
  const commits = new GroupCommit({ db: watched, clock, log, takenBack });
  const note = (text: string) => () => {
    db.run("INSERT INTO notes VALUES (?)", text);
    return text;
  };
  const notes = () => db.all("SELECT text FROM notes ORDER BY rowid").map(({ text }) => text);
  return { commits, db, clock, seen, lines, failNext, note, notes };
}

/** An error as SQLite gives it when the disk is full. */
function full(): Error {
  return Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR", errcode: 13 });
}

Deno.test("what is asked for in one moment is one transaction, in order", async () => {
  const { commits, seen, note, notes } = setUp();
  const texts = await Promise.all(["a", "b", "c"].map((text) => commits.add("process", note(text))));
  assert.deepEqual(texts, ["a", "b", "c"]);
  assert.deepEqual(notes(), ["a", "b", "c"]);
  assert.deepEqual(seen, ["process"]);
});

Deno.test("writers that go on at different depths still meet in one transaction", async () => {
  const { commits, seen, note } = setUp();
  await Promise.all(Array.from({ length: 6 }, async (_, depth) => {
    await commits.add("process", note(`first ${depth}`));
    for (let i = 0; i < depth; i++) await Promise.resolve();
    await commits.add("process", note(`second ${depth}`));
  }));
  assert.deepEqual(seen, ["process", "process"]);
});

Deno.test("a group is as durable as the one that asks for most", async () => {
  const { commits, seen, note } = setUp();
  await Promise.all([commits.add("process", note("a")), commits.add("power", note("b"))]);
  await commits.add("process", note("c"));
  assert.deepEqual(seen, ["power", "process"]);
});

Deno.test("a work that throws is taken back alone, and runs no more than twice", async () => {
  const { commits, seen, note, notes } = setUp();
  const runs: string[] = [];
  const of = (text: string) =>
    commits.add("power", () => {
      runs.push(text);
      note(text)();
      if (text === "bad") throw new HandlerError("conflict", "no");
      return text;
    });
  const settled = await Promise.allSettled([of("a"), of("bad"), of("b")]);
  assert.deepEqual(settled.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
  assert.equal((settled[1] as PromiseRejectedResult).reason.message, "no");
  assert.deepEqual(notes(), ["a", "b"]);
  assert.deepEqual(runs, ["a", "bad", "a", "bad", "b"]);
  assert.deepEqual(seen, ["power", "taken back", "power", "taken back"]);
});

Deno.test("a lone work that throws runs once", async () => {
  const { commits, seen, notes, note } = setUp();
  let runs = 0;
  const alone = commits.add("process", () => {
    runs++;
    note("x")();
    throw new TypeError("mine");
  });
  await assert.rejects(alone, new TypeError("mine"));
  assert.deepEqual([runs, notes(), seen], [1, [], ["process", "taken back"]]);
});

Deno.test("a work gives what its last run gave", async () => {
  const { commits } = setUp();
  let runs = 0;
  const [first] = await Promise.allSettled([
    commits.add("process", () => ++runs),
    commits.add("process", () => {
      throw new Error("no");
    }),
  ]);
  assert.deepEqual(first, { status: "fulfilled", value: 2 });
});

Deno.test("a work that is not synchronous is refused", async () => {
  const { commits, note, notes } = setUp();
  const late = commits.add("process", () => Promise.resolve(note("x")()));
  await assert.rejects(late, /has to be synchronous/);
  assert.deepEqual(notes(), []);
});

Deno.test("a disk that refuses fails the whole group in words; the next group is tried anew", async () => {
  const { commits, failNext, lines, note, notes } = setUp();
  failNext.push(full());
  const group = await Promise.allSettled([
    commits.add("power", note("a")),
    commits.add("process", note("b")),
  ]);
  for (const one of group) {
    assert.equal(one.status, "rejected");
    assert.equal(one.reason.kind, "unavailable");
    assert.equal(one.reason.message, "storing threads: the disk is full");
  }
  failNext.push(full());
  await assert.rejects(commits.add("power", note("c")), { kind: "unavailable" });
  await commits.add("power", note("d"));
  assert.deepEqual(notes(), ["d"]);
  assert.deepEqual(lines, ["error threads cannot be stored", "info threads are stored again"]);
});

Deno.test("a full disk in the middle of a work fails the group too, put into words already", async () => {
  const { commits, note, notes } = setUp();
  const inWords = new HandlerError("unavailable", "storing threads: the disk is full", { cause: full() });
  const group = await Promise.allSettled([
    commits.add("power", note("a")),
    commits.add("power", () => {
      throw inWords;
    }),
  ]);
  assert.deepEqual(group.map((one) => one.status === "rejected" && one.reason), [inWords, inWords]);
  assert.deepEqual(notes(), []);
});

Deno.test("a disk that refuses while works run apart leaves each its own error", async () => {
  const { commits, failNext, note, notes } = setUp();
  const own = new Error("mine");
  const fail = () => {
    failNext.push(full());
    throw own;
  };
  const [good, bad] = await Promise.allSettled([
    commits.add("power", note("a")),
    commits.add("power", fail),
  ]);
  assert.equal(good.status === "rejected" && good.reason.kind, "unavailable");
  assert.equal(bad.status, "rejected");
  assert.deepEqual(notes(), []);
});

Deno.test("closing commits what waits, at once, and takes nothing more", async () => {
  const { commits, note, notes } = setUp();
  const waiting = commits.add("power", note("a"));
  commits.close();
  assert.deepEqual(notes(), ["a"]);
  assert.equal(await waiting, "a");
  const late = commits.add("power", note("b"));
  await assert.rejects(late, { kind: "unavailable", message: "storing threads: the store is closed" });
  assert.deepEqual(notes(), ["a"]);
});

Deno.test("more works than a group holds are committed without end in sight", async () => {
  const { commits, seen } = setUp();
  let asked = 0, first = true;
  const committed = commits.add("process", () => {
    if (!first) return;
    first = false;
  });
  const flood = () => {
    if (asked++ > 5000) return;
    commits.add("process", () => undefined);
    queueMicrotask(flood);
  };
  flood();
  await committed;
  assert.ok(asked < 2000, `${asked} were asked for before the first was committed`);
  assert.equal(seen.length, 1);
});

Deno.test("a commit that takes long is told", async () => {
  const db = openDatabase(":memory:");
  const lines: string[] = [];
  const clock = new TestClock();
  const log = makeLogger((level, message, { ms, writes }) =>
    void lines.push(`${level} ${message} ${ms} ${writes}`)
  );
  const commits = new GroupCommit({ db, clock, log, takenBack() {} });
  await commits.add("process", () => clock.tick(1500));
  assert.deepEqual(lines, ["warn storing threads takes long 1500 1"]);
  await new GroupCommit({ db, clock, log: silentLogger, takenBack() {} }).add(
    "power",
    () => clock.tick(1500),
  );
});
