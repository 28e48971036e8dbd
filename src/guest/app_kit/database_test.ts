import assert from "node:assert/strict";
import { openDatabase } from "./database.ts";

Deno.test("what is written is in the one file after closing, and durable before", async () => {
  const folder = await Deno.makeTempDir({ prefix: "app-db-" });
  try {
    const db = openDatabase(`${folder}/app.db`);
    assert.equal(db.get("PRAGMA journal_mode")?.journal_mode, "wal");
    assert.equal(db.get("PRAGMA synchronous")?.synchronous, 2);
    db.exec("CREATE TABLE t (x TEXT)");
    assert.deepEqual(db.run("INSERT INTO t VALUES (?)", "one"), { changes: 1, id: 1 });
    db.close();
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["app.db"]);
    const again = openDatabase(`${folder}/app.db`);
    assert.deepEqual(again.get<{ x: string }>("SELECT x FROM t")?.x, "one");
    again.close();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a transaction counts whole or not at all, also one inside another", () => {
  const db = openDatabase(":memory:");
  db.exec("CREATE TABLE t (x INTEGER UNIQUE)");
  const add = (x: number) => db.transaction(() => db.run("INSERT INTO t VALUES (?)", x));
  assert.throws(() =>
    db.transaction(() => {
      add(1);
      add(1);
    }), /UNIQUE/);
  assert.deepEqual(db.all("SELECT * FROM t"), []);
  db.transaction(() => [add(1), add(2)]);
  assert.equal(db.all("SELECT * FROM t").length, 2);
  assert.throws(() => db.transaction(() => Promise.resolve(add(3))), /no async work/);
  assert.equal(db.all("SELECT * FROM t").length, 2);
  db.close();
});

Deno.test("a file shrinks when the app stops after much was removed", async () => {
  const folder = await Deno.makeTempDir({ prefix: "app-db-" });
  const path = `${folder}/app.db`;
  try {
    const filled = openDatabase(path);
    filled.exec("CREATE TABLE t (x BLOB)");
    filled.run("INSERT INTO t VALUES (zeroblob(1000000))");
    filled.close();
    assert.ok((await Deno.stat(path)).size > 1_000_000);
    const emptied = openDatabase(path);
    emptied.exec("DELETE FROM t");
    emptied.close();
    assert.ok((await Deno.stat(path)).size < 100_000);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
