import assert from "node:assert/strict";
import type { Call, OpenApp, Route } from "./handler_app.d.ts";
import { events } from "./events.ts";
import { openApp } from "./open_app.ts";
import { Refusal } from "./refusal.ts";

async function withApp(
  routes: Readonly<Record<string, Route>>,
  use: (app: OpenApp) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "app-" });
  try {
    using app = await openApp({ migrations: new URL(`file://${folder}/`), routes }, { data: ":memory:" });
    await use(app);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("what a route gives becomes the answer", () =>
  withApp({
    "GET /api/value": ({ person }) => ({ person }),
    "GET /api/nothing": () => undefined,
    "GET /api/own": () => new Response("text", { status: 201 }),
    "POST /api/echo": async (call) => await call.json(),
    "GET /api/key": ({ idempotencyKey, url }) => [idempotencyKey ?? null, url.searchParams.get("q")],
  }, async (app) => {
    const value = await app.call("GET /api/value", { person: "alice" });
    assert.equal(value.headers.get("cache-control"), "no-store");
    assert.deepEqual(await value.json(), { person: "alice" });
    assert.equal((await app.call("GET /api/nothing")).status, 204);
    assert.equal((await app.call("GET /api/own")).status, 201);
    assert.deepEqual(await (await app.call("POST /api/echo", { json: [1] })).json(), [1]);
    const headers = { "idempotency-key": "k" };
    assert.deepEqual(await (await app.call("GET /api/key?q=a%20b", { headers })).json(), ["k", "a b"]);
  }));

Deno.test("health needs no person, everything else does", () =>
  withApp({ "GET /api/x": () => 1 }, async (app) => {
    assert.equal((await app.fetch(new Request("http://a/api/health"))).status, 200);
    assert.equal((await app.fetch(new Request("http://a/api/x"))).status, 400);
    assert.equal((await app.call("GET /api/y")).status, 404);
    const wrong = await app.call("POST /api/x");
    assert.deepEqual([wrong.status, wrong.headers.get("allow")], [405, "GET"]);
  }));

Deno.test("a refusal is told, whatever else is thrown stays in the log", () =>
  withApp({
    "GET /api/no": () => {
      throw new Refusal(409, "not now");
    },
    "GET /api/bug": () => {
      throw new Error("the password is hunter2");
    },
  }, async (app) => {
    const refused = await app.call("GET /api/no");
    assert.deepEqual([refused.status, await refused.json()], [409, { error: "not now" }]);
    const { error } = console;
    const log: string[] = [];
    console.error = (text: string) => log.push(text);
    try {
      const failed = await app.call("GET /api/bug");
      assert.equal(failed.status, 500);
      assert.doesNotMatch(await failed.text(), /hunter2/);
    } finally {
      console.error = error;
    }
    assert.match(log.join(), /GET \/api\/bug: Error: the password is hunter2/);
  }));

Deno.test("a body that is no JSON, not said to be, or too large is refused", () =>
  withApp({
    "POST /api/json": (call) => call.json(),
    "POST /api/bytes": async (call) => (await call.bytes(10)).length,
  }, async (app) => {
    const typed = { "content-type": "application/json; charset=utf-8" };
    const status = async (route: string, body: BodyInit, headers = {}) =>
      (await app.call(route, { body, headers })).status;
    assert.equal(await status("POST /api/json", "{}", typed), 200);
    assert.equal(await status("POST /api/json", "{}"), 415);
    assert.equal(await status("POST /api/json", "{", typed), 400);
    assert.equal(await status("POST /api/json", new Uint8Array([0x22, 0xff, 0x22]), typed), 400);
    assert.equal(await status("POST /api/json", `"${"x".repeat(1024 * 1024)}"`, typed), 413);
    assert.equal(await status("POST /api/bytes", "0123456789"), 200);
    assert.equal(await status("POST /api/bytes", "0123456789a"), 413);
  }));

Deno.test("events are streamed as they come, and the page's leaving ends them", async () => {
  let ended: (why: string) => void = () => {};
  const end = new Promise<string>((resolve) => ended = resolve);
  const stream = (call: Call) =>
    events(call, async (send, signal) => {
      send({ text: "one\ntwo" });
      send(2, "count");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      ended("left");
    });
  await withApp({ "GET /api/events": stream }, async (app) => {
    const response = await app.call("GET /api/events");
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("count")) text += (await reader.read()).value;
    assert.equal(text, ':\n\ndata: {"text":"one\\ntwo"}\n\nevent: count\ndata: 2\n\n');
    await reader.cancel();
    assert.equal(await end, "left");
  });
});
