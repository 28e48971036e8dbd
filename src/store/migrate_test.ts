import assert from "node:assert/strict";
import { HandlerError } from "../base/mod.ts";
import { openDatabase } from "../platform/mod.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";

const one = { version: 1, sql: "CREATE TABLE notes (body TEXT)" };
const two = { version: 2, sql: "ALTER TABLE notes ADD COLUMN title TEXT; UPDATE notes SET title = 'none'" };

async function folder(work: (path: string) => Promise<void>): Promise<void> {
  const made = await Deno.makeTempDir();
  try {
    await work(`${made}/it's.db`);
  } finally {
    await Deno.remove(made, { recursive: true });
  }
}

Deno.test("steps are numbered from 1 without gaps", () => {
  assert.deepEqual(MIGRATIONS.map(({ version }) => version), MIGRATIONS.map((_, index) => index + 1));
});

Deno.test("a migrated file has its rows, and a readable copy of before lies beside it", () =>
  folder(async (path) => {
    using db = openDatabase(path);
    await migrate(db, path, [one]);
    db.run("INSERT INTO notes VALUES ('kept')");
    await migrate(db, path, [one, two]);
    assert.deepEqual({ ...db.get("SELECT body, title FROM notes") }, { body: "kept", title: "none" });
    using before = openDatabase(`${path}.v1.backup`);
    assert.deepEqual({ ...before.get("SELECT * FROM notes") }, { body: "kept" });
  }));

Deno.test("a step that fails leaves the file as it was", () =>
  folder(async (path) => {
    using db = openDatabase(path);
    await migrate(db, path, [one]);
    const bad = {
      version: 2,
      sql: "ALTER TABLE notes ADD COLUMN title TEXT; INSERT INTO nowhere VALUES (1)",
    };
    await assert.rejects(migrate(db, path, [one, bad]));
    assert.equal(db.get("PRAGMA user_version")?.user_version, 1);
    assert.deepEqual(db.all("PRAGMA table_info(notes)").map(({ name }) => name), ["body"]);
    await migrate(db, path, [one, two]);
    assert.equal(db.get("PRAGMA user_version")?.user_version, 2);
  }));

Deno.test("a file of a newer Handler is refused and not touched", () =>
  folder(async (path) => {
    using db = openDatabase(path);
    await migrate(db, path, [one, two]);
    await assert.rejects(
      migrate(db, path, [one]),
      (error) =>
        error instanceof HandlerError && error.kind === "conflict" && /has shape 2/.test(error.message),
    );
    assert.equal(db.get("PRAGMA user_version")?.user_version, 2);
  }));
