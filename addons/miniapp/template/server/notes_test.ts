import assert from "node:assert/strict";
import { app } from "./app.ts";
import { openApp } from "./vendor/handler_app.js";

Deno.test("a note is added, changed, pinned and removed", async () => {
  using notes = await openApp(app, { data: ":memory:" });
  const added = await (await notes.call("POST /api/notes", { json: { text: "  milk " } })).json();
  assert.equal(added.text, "milk");
  assert.equal(added.pinned, false);

  const pinned = await (await notes.call(`PUT /api/notes/${added.id}`, { json: { pinned: true } })).json();
  assert.deepEqual(pinned, { ...added, pinned: true });
  const changed = await (await notes.call(`PUT /api/notes/${added.id}`, { json: { text: "oat milk" } }))
    .json();
  assert.equal(changed.text, "oat milk");
  assert.equal(changed.pinned, true);

  assert.equal((await notes.call(`DELETE /api/notes/${added.id}`)).status, 204);
  assert.deepEqual(await (await notes.call("GET /api/notes")).json(), []);
});

Deno.test("pinned notes come first, then the newest", async () => {
  using notes = await openApp(app, { data: ":memory:" });
  for (const text of ["one", "two", "three"]) await notes.call("POST /api/notes", { json: { text } });
  await notes.call("PUT /api/notes/1", { json: { pinned: true } });
  const list: { text: string }[] = await (await notes.call("GET /api/notes")).json();
  assert.deepEqual(list.map(({ text }) => text), ["one", "three", "two"]);
});

Deno.test("a person sees and changes nobody else's notes", async () => {
  using notes = await openApp(app, { data: ":memory:" });
  await notes.call("POST /api/notes", { person: "owner", json: { text: "mine" } });
  assert.deepEqual(await (await notes.call("GET /api/notes", { person: "alice" })).json(), []);
  for (const route of ["PUT /api/notes/1", "DELETE /api/notes/1"]) {
    const json = route.startsWith("PUT") ? { text: "hers" } : undefined;
    assert.equal((await notes.call(route, { person: "alice", json })).status, 404, route);
  }
});

Deno.test("a call that arrives twice adds one note, and another person's key is another", async () => {
  using notes = await openApp(app, { data: ":memory:" });
  const send = async (person: string) =>
    await (await notes.call("POST /api/notes", {
      person,
      json: { text: "once" },
      headers: { "idempotency-key": "k1" },
    })).json();
  assert.deepEqual(await send("owner"), await send("owner"));
  await send("alice");
  assert.equal(notes.db.get<{ n: number }>("SELECT count(*) AS n FROM notes")?.n, 2);
});

Deno.test("what is no note is refused in words", async () => {
  using notes = await openApp(app, { data: ":memory:" });
  for (const json of [{}, { text: " " }, { text: 7 }, [], { text: "x".repeat(10_001) }]) {
    const response = await notes.call("POST /api/notes", { json });
    assert.equal(response.status, 400);
    assert.match((await response.json()).error, /note|object/);
  }
  assert.equal((await notes.call("DELETE /api/notes/none")).status, 404);
});
