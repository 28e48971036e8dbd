import assert from "node:assert/strict";
import { api, ApiError, apiFile, isQueued } from "./api.ts";

/** Calls with a `fetch` that gives one answer, and gives what was asked. */
async function asked(answer: Response, call: () => Promise<unknown>): Promise<[string, RequestInit]> {
  const { fetch } = globalThis;
  let seen: [string, RequestInit] | undefined;
  globalThis.fetch = (path, init) => {
    seen = [String(path), init ?? {}];
    return Promise.resolve(answer);
  };
  try {
    await call();
  } finally {
    globalThis.fetch = fetch;
  }
  return seen!;
}

Deno.test("a call carries JSON and a key, and gives JSON", async () => {
  let note: unknown;
  const [path, { method, headers, body }] = await asked(Response.json({ id: 1 }), async () => {
    note = await api("POST /api/notes", { json: { text: "a" }, key: "k" });
  });
  assert.deepEqual([path, method, body], ["/api/notes", "POST", '{"text":"a"}']);
  assert.deepEqual(headers, { "idempotency-key": "k", "content-type": "application/json" });
  assert.deepEqual(note, { id: 1 });
});

Deno.test("a file goes and comes as it is", async () => {
  const file = new Blob(["x"], { type: "image/png" });
  let got: Blob | undefined;
  const [, { headers }] = await asked(new Response(file), async () => {
    got = await apiFile("PUT /api/photo", { file });
  });
  assert.deepEqual(headers, { "content-type": "image/png" });
  assert.equal(await got?.text(), "x");
});

Deno.test("nothing is nothing, and a queued call says so", async () => {
  await asked(new Response(null, { status: 204 }), async () => {
    assert.equal(await api("DELETE /api/notes/1"), undefined);
  });
  await asked(Response.json({ queued: true }, { status: 202 }), async () => {
    assert.ok(isQueued(await api("POST /api/notes")));
  });
  assert.ok(!isQueued(null) && !isQueued({ id: 1 }));
});

Deno.test("an error has the backend's words, or some for a person", async () => {
  const words = async (answer: Response) => {
    let message = "";
    await asked(
      answer,
      () => api("GET /api/notes").catch((error: ApiError) => message = `${error.status} ${error.message}`),
    );
    return message;
  };
  assert.equal(await words(Response.json({ error: "no such note" }, { status: 404 })), "404 no such note");
  assert.match(await words(new Response("<html>", { status: 403 })), /^403 .*Open the app again/);
  assert.match(await words(new Response("<html>", { status: 502 })), /^502 .*error \(502\)/);
});
