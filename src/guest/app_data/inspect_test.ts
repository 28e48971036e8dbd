import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { inspect } from "./inspect.ts";

async function withFolders(use: (a: string, b: string) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "app-data-" });
  await Deno.mkdir(`${root}/a/deep`, { recursive: true });
  await Deno.mkdir(`${root}/b`);
  try {
    await use(`${root}/a`, `${root}/b`);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

function run(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

Deno.test("rows are counted by table; what is no table of the app's is not", () =>
  withFolders(async (a) => {
    run(
      `${a}/deep/x.db`,
      `CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, text); INSERT INTO notes (text) VALUES ('a'), ('b');
       CREATE TABLE handler_migrations (number); INSERT INTO handler_migrations VALUES (1);
       CREATE VIEW both AS SELECT * FROM notes; CREATE VIRTUAL TABLE words USING fts5(word);
       CREATE TABLE "odd "" name" (x); INSERT INTO words VALUES ('one')`,
    );
    await Deno.writeTextFile(`${a}/photo.jpg`, "SQLite is not here");
    assert.deepEqual(await inspect({ data: a }), { rows: { notes: 2, 'odd " name': 0 }, lost: {} });
    run(`${a}/second.db`, "CREATE TABLE t (x)");
    const { rows } = await inspect({ data: a });
    assert.deepEqual(rows, { "deep/x.db: notes": 2, 'deep/x.db: odd " name': 0, "second.db: t": 0 });
  }));

Deno.test("what stands in the write-ahead log of a copy counts, and the copy is at rest afterwards", () =>
  withFolders(async (a, b) => {
    const writer = new DatabaseSync(`${a}/x.db`);
    writer.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1), (2)");
    for (const end of ["", "-wal"]) await Deno.copyFile(`${a}/x.db${end}`, `${b}/x.db${end}`);
    assert.deepEqual((await inspect({ data: b })).rows, { t: 2 });
    assert.deepEqual([...Deno.readDirSync(b)].map(({ name }) => name), ["x.db"]);
    await assert.rejects(async () => {
      writer.exec("BEGIN IMMEDIATE");
      await inspect({ data: a });
    }, /the database x\.db: (it is still in use|database is locked)/);
    writer.close();
  }));

Deno.test("a damaged database does not count", () =>
  withFolders(async (a) => {
    run(`${a}/x.db`, "CREATE TABLE t (x)");
    run(
      `${a}/x.db`,
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) " +
        "INSERT INTO t SELECT hex(randomblob(900)) FROM n",
    );
    const bytes = await Deno.readFile(`${a}/x.db`);
    bytes.fill(0xaa, 4096 * 3, 4096 * 5);
    await Deno.writeFile(`${a}/x.db`, bytes);
    await assert.rejects(inspect({ data: a }), /the database x\.db: (it is damaged|.*malformed)/);
    await Deno.writeFile(`${a}/x.db`, bytes.subarray(0, 4096 * 2));
    await assert.rejects(inspect({ data: a }), /the database x\.db: /);
  }));

Deno.test("rows that an earlier copy does not have are counted, equal ones too", () =>
  withFolders(async (a, b) => {
    const before = `CREATE TABLE log (text); INSERT INTO log VALUES ('x'), ('x');
      CREATE TABLE kept (k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO kept VALUES ('a', 1), ('b', 2);
      CREATE TABLE gone (x); CREATE TABLE rowid (rowid TEXT, v); INSERT INTO rowid VALUES ('q', x'00ff')`;
    run(`${b}/x.db`, before);
    run(
      `${a}/x.db`,
      `${before}; INSERT INTO log VALUES ('x'), ('x'); UPDATE kept SET v = 3 WHERE k = 'a';
       ALTER TABLE kept ADD COLUMN more; INSERT INTO kept VALUES ('c', 4, 5); DROP TABLE gone;
       CREATE TABLE fresh (x); INSERT INTO fresh VALUES (1); UPDATE rowid SET v = x'00fe'`,
    );
    run(`${a}/other.db`, "CREATE TABLE t (x); INSERT INTO t VALUES (1), (2)");
    const { lost } = await inspect({ data: a, earlier: b });
    assert.deepEqual(lost, {
      "other.db: t": 2,
      "x.db: fresh": 1,
      "x.db: kept": 2,
      "x.db: log": 2,
      "x.db: rowid": 1,
    });
  }));

Deno.test("names of files with signs of a URL are names", () =>
  withFolders(async (a, b) => {
    for (const folder of [a, b]) {
      run(`${folder}/x?mode=memory#y%41.db`, "CREATE TABLE t (x); INSERT INTO t VALUES (1)");
    }
    assert.deepEqual(await inspect({ data: a, earlier: b }), { rows: { t: 1 }, lost: { t: 0 } });
  }));
