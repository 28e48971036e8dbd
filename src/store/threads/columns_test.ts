import assert from "node:assert/strict";
import { openDatabase } from "../../platform/mod.ts";
import { changedAt, inserting, loggedError, mustChange, revision } from "./columns.ts";

Deno.test("a revision is kept only where it is not the row's place", () => {
  assert.equal(changedAt({ seq: 4, rev: 4 }), null);
  assert.equal(changedAt({ seq: 4, rev: 9 }), 9);
  assert.equal(revision({ seq: 4, changed: null }), 4);
  assert.equal(revision({ seq: 4, changed: 9 }), 9);
});

Deno.test("a key that is taken is a conflict, a value of the wrong kind is invalid", () => {
  using db = openDatabase(":memory:");
  db.exec("CREATE TABLE x (id TEXT NOT NULL UNIQUE) STRICT; INSERT INTO x VALUES ('a')");
  const insert = (id: string | null) =>
    inserting("the row", () => void db.run("INSERT INTO x VALUES (?)", id));
  assert.throws(() => insert("a"), { kind: "conflict", message: /^the row cannot be added/ });
  assert.throws(() => insert(null), { kind: "invalid", message: /a value of the wrong kind$/ });
  const own = new Error("mine");
  assert.throws(() =>
    inserting("the row", () => {
      throw own;
    }), own);
  insert("b");
});

Deno.test("an error is kept whole, an update that finds nothing is told", () => {
  const error = { message: "no", type: "x", origin: "runtime" };
  assert.deepEqual(loggedError({ error: JSON.stringify(error) }), error);
  assert.equal(loggedError({ error: null }), null);
  mustChange("row", { changes: 1 });
  assert.throws(() => mustChange("row 7", { changes: 0 }), {
    kind: "not_found",
    message: "there is no row 7",
  });
});
