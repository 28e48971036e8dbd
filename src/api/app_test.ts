import assert from "node:assert/strict";
import { HandlerError, makeLogger, ProblemList, silentLogger, TestClock, utf8 } from "../base/mod.ts";
import { MemoryOperations } from "../../tests/fakes/operations.ts";
import { BODY_LIMIT } from "./body.ts";
import type { ErrorBody } from "./errors.ts";
import { createApi } from "./mod.ts";

function api(operations = new MemoryOperations()) {
  const app = createApi({ operations, log: silentLogger, clock: new TestClock() });
  const ask = (path: string, init: RequestInit & { host?: string } = {}) =>
    app.request(new Request(`http://handlerd${path}`, { ...init, headers: headersOf(init) }));
  return { app, ask, operations };
}

function headersOf(init: RequestInit & { host?: string }): Headers {
  const headers = new Headers(init.headers);
  headers.set("host", init.host ?? "handlerd");
  return headers;
}

function json(body: unknown, method = "POST"): RequestInit {
  return { method, body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}

async function errorOf(response: Response): Promise<ErrorBody["error"]> {
  return ((await response.json()) as ErrorBody).error;
}

Deno.test("a strange host, an origin and a referer are refused before any handler", async () => {
  const { ask, operations } = api();
  const refused = [
    await ask("/v1/shutdown", { method: "POST", host: "evil.example" }),
    await ask("/v1/shutdown", { method: "POST", host: "localhost:7430" }),
    await ask("/v1/shutdown", { method: "POST", headers: { origin: "http://handlerd" } }),
    await ask("/v1/shutdown", { method: "POST", headers: { origin: "null" } }),
    await ask("/v1/shutdown", { method: "POST", headers: { referer: "http://localhost/" } }),
    await ask("/nowhere", { host: "evil.example" }),
  ];
  for (const response of refused) {
    assert.equal(response.status, 403);
    assert.equal((await errorOf(response)).kind, "denied");
  }
  assert.equal(operations.stopped, false);
});

Deno.test("a request line that names another host is refused", async () => {
  const { app } = api();
  const request = new Request("http://evil.example/v1/status", { headers: { host: "handlerd" } });
  assert.equal((await app.request(request)).status, 403);
});

Deno.test("every kind of error has its status", async () => {
  const kinds = {
    usage: 400,
    denied: 403,
    not_found: 404,
    conflict: 409,
    invalid: 422,
    cancelled: 499,
    internal: 500,
    unreachable: 502,
    unavailable: 503,
    timeout: 504,
  } as const;
  for (const [kind, status] of Object.entries(kinds)) {
    const operations = new MemoryOperations();
    operations.status = () => Promise.reject(new HandlerError(kind as keyof typeof kinds, "it failed"));
    const response = await api(operations).ask("/v1/status");
    assert.equal(response.status, status);
    assert.deepEqual(await errorOf(response), {
      kind,
      message: "it failed",
      hint: null,
      where: null,
      problems: [],
    });
  }
});

Deno.test("hint, place and each problem of a list travel; the cause does not", async () => {
  const { ask, operations } = api();
  const where = { file: "/config/agents/a.toml", line: 3, column: 1, key: "project" };
  const one = new HandlerError("invalid", "unknown key", { where, hint: 'did you mean "project"?' });
  operations.reload = () => Promise.reject(new ProblemList("the configuration", [one]));
  const error = await errorOf(await ask("/v1/reload", { method: "POST" }));
  assert.equal(error.message, "the configuration: 1 problem");
  assert.deepEqual(error.problems, [{
    kind: "invalid",
    message: "unknown key",
    hint: 'did you mean "project"?',
    where,
    problems: [],
  }]);
});

Deno.test("what is thrown and is no HandlerError is internal, and logged", async () => {
  const operations = new MemoryOperations();
  operations.status = () => Promise.reject(new TypeError("x is not a function"));
  const logged: string[] = [];
  const log = makeLogger((level, message) => void (level === "error" && logged.push(message)));
  const app = createApi({ operations, log, clock: new TestClock() });
  const response = await app.request(
    new Request("http://handlerd/v1/status", { headers: { host: "handlerd" } }),
  );
  assert.equal(response.status, 500);
  assert.deepEqual(logged, ["GET /v1/status: x is not a function"]);
});

Deno.test("a body is read strictly: every problem with the path of its key", async () => {
  const { ask } = api();
  const response = await ask(
    "/v1/agents",
    json({ name: 7, projct: "p", harness: null, services: { ocr: "x" } }),
  );
  assert.equal(response.status, 422);
  const nulls = await errorOf(response);
  assert.deepEqual(nulls.problems.map((one) => [one.where?.key, one.message]), [[
    "harness",
    "must not be null",
  ]]);
  const again = await errorOf(
    await ask("/v1/agents", json({ name: 7, projct: "p", services: { ocr: "x" } })),
  );
  assert.deepEqual(again.problems.map((one) => `${one.where?.key}: ${one.message}`).sort(), [
    "harness: is missing, must be a text that is not empty",
    "name: must be a text that is not empty, found 7",
    "projct: unknown key",
    "project: is missing, must be a text that is not empty",
    'services.ocr: must be a list, each a text that is not empty, found "x"',
  ]);
  assert.equal(again.problems.find((one) => one.where?.key === "projct")?.hint, 'did you mean "project"?');
});

Deno.test("a body that is no JSON, of another type or not an object is refused", async () => {
  const { ask } = api();
  const headers = { "content-type": "application/json" };
  assert.equal((await ask("/v1/sessions", { method: "POST", body: "{", headers })).status, 400);
  assert.equal((await ask("/v1/sessions", { method: "POST", body: "{}" })).status, 400);
  assert.equal((await ask("/v1/sessions", { method: "POST", body: "[]", headers })).status, 422);
  assert.equal((await ask("/v1/sessions", { method: "POST", body: "null", headers })).status, 422);
});

Deno.test("a body over the limit is refused", async () => {
  const { ask, operations } = api();
  const big = new Uint8Array(BODY_LIMIT + 1);
  const response = await ask("/v1/secrets/big", { method: "PUT", body: big });
  assert.equal(response.status, 413);
  assert.equal((await errorOf(response)).kind, "usage");
  assert.equal(operations.secretMap.size, 0);
  const message = await ask("/v1/threads/t1/messages", { method: "POST", body: big });
  assert.match((await errorOf(message)).hint ?? "", /--file PATH/);
});

Deno.test("queries are read strictly", async () => {
  const { ask, operations } = api();
  for (const query of ["limit=0", "limit=x", "limt=1", "since=-1", "failedOnly=yes", "limit=1&limit=2"]) {
    const response = await ask(`/v1/calls?${query}`);
    assert.equal(response.status, 400, query);
    await response.body?.cancel();
  }
  assert.equal((await ask("/v1/calls?caller=agent:clerk&since=5&limit=7&failedOnly=true")).status, 200);
  assert.deepEqual(operations.queries, [{ caller: "agent:clerk", since: 5, limit: 7, failedOnly: true }]);
});

Deno.test("an unknown path is 404, a wrong method 405 with what is allowed", async () => {
  const { ask } = api();
  assert.equal((await ask("/v2/status")).status, 404);
  const response = await ask("/v1/bindings", { method: "DELETE" });
  assert.equal(response.status, 405);
  assert.equal(response.headers.get("allow"), "GET, POST");
});

Deno.test("what is made has a location, what is removed is handed back", async () => {
  const { ask } = api();
  const made = await ask("/v1/bindings", json({ name: "ocr-local", connector: "ocr-tesseract" }));
  assert.equal(made.status, 201);
  assert.equal(made.headers.get("location"), "/v1/bindings/ocr-local");
  assert.equal(made.headers.get("cache-control"), "no-store");
  const removed = await ask("/v1/bindings/ocr-local", { method: "DELETE" });
  assert.deepEqual(await removed.json(), { kind: "binding", name: "ocr-local", text: "# ocr-local\n" });
  assert.equal((await ask("/v1/bindings/ocr-local", { method: "DELETE" })).status, 404);
});

Deno.test("a check tells its progress line by line, then its result or its error", async () => {
  const { ask } = api();
  const good = await ask("/v1/connectors/ocr-tesseract/check", json({}));
  const lines = (await good.text()).trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.slice(0, 2), [
    { progress: "ocr/v1: invoice text: passed" },
    { progress: "ocr/v1: rejects a zip: failed" },
  ]);
  assert.equal(lines[2].result.passed, false);
  const bad = await (await ask("/v1/connectors/none/check", json({}))).text();
  assert.equal(JSON.parse(bad).error.kind, "not_found");
});

Deno.test("a reader who leaves ends the log's source", async () => {
  const { ask, operations } = api();
  operations.endlessLog = true;
  await operations.projectAdd({ name: "p", path: "/p", requires: [], privacy: "any" });
  await operations.agentAdd({ name: "a", project: "p", harness: "command", command: ["x"], services: {} });
  const { id } = await operations.run("a", null);
  const response = await ask(`/v1/sessions/${id}/log?follow=true`);
  const reader = response.body!.getReader();
  assert.deepEqual((await reader.read()).value, utf8("line one\nline two\n"));
  await reader.cancel();
  assert.equal(operations.logClosed, true);
});
