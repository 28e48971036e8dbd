import assert from "node:assert/strict";
import { openDatabase } from "../../platform/mod.ts";
import { statements } from "./statements.ts";

Deno.test("statements work as before, and fail in words that keep the cause", () => {
  using db = openDatabase(":memory:");
  const { run, get, all } = statements(db, "storing threads");
  db.exec("CREATE TABLE x (n INTEGER PRIMARY KEY) STRICT");
  assert.deepEqual(run("INSERT INTO x VALUES (?)", 3), { changes: 1 });
  assert.equal(get("SELECT n FROM x")?.n, 3);
  assert.equal(all("SELECT n FROM x").length, 1);
  assert.throws(() => run("INSERT INTO x VALUES (?)", 3), (error) => {
    assert.ok(error instanceof Error);
    assert.equal(error.message, "storing threads: SQLite error 19");
    assert.match(String(error.cause), /UNIQUE constraint failed/);
    return true;
  });
});
