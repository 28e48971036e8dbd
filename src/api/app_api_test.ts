import assert from "node:assert/strict";
import { silentLogger } from "../base/mod.ts";
import { type NewMessage, TooMuch } from "../inbox/mod.ts";
import { httpClientUnix } from "../platform/mod.ts";
import { type AppApiParts, serveAppApi } from "./app_api.ts";

async function asked(body: unknown, change: Partial<AppApiParts> = {}, path = "/notify", method = "POST") {
  const folder = await Deno.makeTempDir();
  const put: NewMessage[] = [];
  const parts: AppApiParts = {
    app: "coach",
    log: silentLogger,
    mayNotify: () => true,
    mayUse: (person) => person === "owner" || person === "alice",
    put: (message) => put.push(message),
    ...change,
  };
  const server = await serveAppApi(parts, `${folder}/api.sock`);
  const mode = Deno.statSync(`${folder}/api.sock`).mode! & 0o777;
  try {
    using client = httpClientUnix(`${folder}/api.sock`);
    const response = await client.fetch(`http://handler${path}`, {
      method,
      ...(method === "POST" && {
        body: typeof body === "string" ? body : JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      answer: text && JSON.parse(text),
      put,
      mode,
    };
  } finally {
    await server.stop(1000);
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a notice becomes a message whose source is the app that the socket is of", async () => {
  const { status, put, mode } = await asked({
    title: "Morning",
    text: "Up?",
    link: "/today",
    person: "alice",
  });
  assert.deepEqual([status, mode], [202, 0o666]);
  assert.deepEqual(put, [{
    title: "Morning",
    text: "Up?",
    link: "/today",
    person: "alice",
    source: "app:coach",
  }]);
  const least = await asked({ title: "Morning" });
  assert.deepEqual(least.put, [{
    title: "Morning",
    text: "",
    link: null,
    person: "owner",
    source: "app:coach",
  }]);
});

Deno.test("an app that does not ask for it in its manifest may not notify", async () => {
  const { status, answer, put } = await asked({ title: "Morning" }, { mayNotify: () => false });
  assert.equal(status, 403);
  assert.deepEqual(answer, {
    error: "denied",
    message: "the app coach may not put messages into inboxes",
    hint: "its manifest says notify = true under [needs]",
  });
  assert.deepEqual(put, []);
});

Deno.test("nobody hears of an app that is not shared with them", async () => {
  const { status, answer, put } = await asked({ title: "Morning", person: "bob" });
  assert.deepEqual([status, answer.message, put], [403, 'the app coach is not shared with "bob"', []]);
});

Deno.test("a body is read strictly", async () => {
  const unknown = await asked({ title: "Morning", source: "app:bank", at: 1 });
  assert.equal(unknown.status, 422);
  assert.match(unknown.answer.message, /source: unknown key; at: unknown key/);
  assert.equal((await asked({ text: "no title" })).status, 422);
  assert.equal((await asked({ title: "Morning", person: null })).status, 422);
  assert.equal((await asked("{")).status, 400);
  assert.equal((await asked({ title: "x", text: "y".repeat(20_000) })).status, 413);
});

Deno.test("too much is told with the time to wait", async () => {
  const { status, headers, answer } = await asked({ title: "Morning" }, {
    put() {
      throw new TooMuch("app:coach", 90_500);
    },
  });
  assert.deepEqual([status, headers.get("retry-after")], [429, "91"]);
  assert.match(answer.message, /app:coach has put 30 messages into inboxes within an hour/);
});

Deno.test("there is nothing else on the socket", async () => {
  assert.equal((await asked({}, {}, "/v1/status")).status, 404);
  assert.equal((await asked({}, {}, "/notify", "GET")).status, 405);
});
