import assert from "node:assert/strict";
import { openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { readMigrations } from "./migration_files.ts";

/** Writes migrations into a folder of their own and brings a database in memory to their shape. */
async function withFolder(
  use: (write: (files: Readonly<Record<string, string>>) => Promise<void>, folder: URL) => Promise<void>,
): Promise<void> {
  const path = await Deno.makeTempDir({ prefix: "migrations-" });
  const write = async (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(`${path}/${name}`, text);
  };
  try {
    await use(write, new URL(`file://${path}/`));
  } finally {
    await Deno.remove(path, { recursive: true });
  }
}

Deno.test("migrations run once, in order, in SQL and in code", () =>
  withFolder(async (write, folder) => {
    const db = openDatabase(":memory:");
    await write({ "001_a.sql": "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (1);" });
    await migrate(db, readMigrations(folder));
    await write({
      "002_b.ts":
        "export function migrate(db: { run(sql: string): unknown }) { db.run('UPDATE a SET x = x + 1'); }",
      "003_c.sql": "ALTER TABLE a ADD COLUMN y TEXT;",
    });
    for (let time = 0; time < 2; time++) await migrate(db, readMigrations(folder));
    assert.deepEqual(db.all("SELECT * FROM a").map((row) => ({ ...row })), [{ x: 2, y: null }]);
    const names = db.all<{ name: string }>("SELECT name FROM handler_migrations ORDER BY number");
    assert.deepEqual(names.map(({ name }) => name), ["001_a.sql", "002_b.ts", "003_c.sql"]);
    db.close();
  }));

Deno.test("a migration that fails leaves the database as the one before it made it", () =>
  withFolder(async (write, folder) => {
    const db = openDatabase(":memory:");
    await write({
      "001_a.sql": "CREATE TABLE a (x INTEGER);",
      "002_b.sql": "INSERT INTO a VALUES (1); CREATE TABLE a (y);",
    });
    await assert.rejects(
      async () => await migrate(db, readMigrations(folder)),
      /002_b\.sql failed: table a already/,
    );
    assert.deepEqual(db.all("SELECT * FROM a"), []);
    assert.equal(db.all("SELECT * FROM handler_migrations").length, 1);
    db.close();
  }));

Deno.test("a table can be made anew under foreign keys, but no row may be left pointing nowhere", () =>
  withFolder(async (write, folder) => {
    const db = openDatabase(":memory:");
    await write({
      "001_a.sql": `CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a INTEGER REFERENCES a);
        INSERT INTO a VALUES (1); INSERT INTO b VALUES (1);`,
      "002_anew.sql": `CREATE TABLE a2 (id INTEGER PRIMARY KEY, z TEXT); INSERT INTO a2 SELECT id, 'z' FROM a;
        DROP TABLE a; ALTER TABLE a2 RENAME TO a;`,
    });
    await migrate(db, readMigrations(folder));
    await write({ "003_lost.sql": "DELETE FROM a;" });
    await assert.rejects(
      async () => await migrate(db, readMigrations(folder)),
      /rows of b point to rows of a/,
    );
    assert.equal(db.all("SELECT * FROM a").length, 1);
    assert.throws(() => db.run("INSERT INTO b VALUES (7)"), /FOREIGN KEY/);
    db.close();
  }));

Deno.test("a migration that has run may not change, but for blanks", () =>
  withFolder(async (write, folder) => {
    const db = openDatabase(":memory:");
    await write({ "001_a.sql": "CREATE TABLE a (\n  x INTEGER\n);\n" });
    await migrate(db, readMigrations(folder));
    await write({ "001_a.sql": "CREATE TABLE a (  \r\n  x INTEGER\r\n);" });
    await migrate(db, readMigrations(folder));
    await write({ "001_a.sql": "CREATE TABLE a (x INTEGER, y TEXT);" });
    await assert.rejects(
      async () => await migrate(db, readMigrations(folder)),
      /001_a\.sql was changed after/,
    );
    db.close();
  }));

Deno.test("a database of a newer version is refused", () =>
  withFolder(async (write, folder) => {
    const db = openDatabase(":memory:");
    await write({ "001_a.sql": "CREATE TABLE a (x);", "002_b.sql": "CREATE TABLE b (x);" });
    await migrate(db, readMigrations(folder));
    await Deno.remove(new URL("002_b.sql", folder));
    const older = readMigrations(folder);
    await assert.rejects(() => migrate(db, older), /newer version.*002_b\.sql.*001_a\.sql/);
    db.close();
  }));

Deno.test("names and numbers of migrations have a form", () =>
  withFolder(async (write, folder) => {
    await write({ "002_b.sql": "" });
    assert.throws(() => readMigrations(folder), /002_b\.sql stands where 1 is due/);
    await write({ "001_a.sql": "", "001_c.sql": "" });
    assert.throws(() => readMigrations(folder), /001_c\.sql stands where 2 is due/);
    await write({ "notes.txt": "" });
    assert.throws(() => readMigrations(folder), /named like 001_notes\.sql, found notes\.txt/);
  }));
