import assert from "node:assert/strict";
import { createApi, serveApi } from "../api/mod.ts";
import { HandlerError, ProblemList, silentLogger, TestClock, utf8, utf8Text } from "../base/mod.ts";
import { MemoryOperations } from "../../tests/fakes/operations.ts";
import { connectClient } from "./mod.ts";

async function served() {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/run time/handlerd.sock`;
  const operations = new MemoryOperations();
  const server = await serveApi(createApi({ operations, log: silentLogger, clock: new TestClock() }), path);
  const client = connectClient(path);
  return {
    path,
    operations,
    client,
    server,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await server.stop(1000).catch(() => {});
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function rejected(work: Promise<unknown>): Promise<HandlerError> {
  const error = await work.then(() => undefined, (thrown) => thrown);
  assert.ok(error instanceof HandlerError, String(error));
  return error;
}

Deno.test("every operation reaches the daemon and its answer comes back", async () => {
  await using it = await served();
  const { client, operations } = it;
  assert.deepEqual(await client.status(), await operations.status());
  assert.deepEqual(await client.reload(), { changed: ["bindings/ocr-local.toml"] });
  assert.deepEqual(await client.doctor(), await operations.doctor());
  assert.deepEqual(await client.interfaces(), await operations.interfaces());
  assert.deepEqual(await client.interfaceCheck("ocr/v1"), []);
  assert.equal((await client.interfacePublish("ocr/v1")).state, "published");
  assert.deepEqual(Object.keys(await client.interfaceStub("ocr/v1", "mine")), ["connector.toml", "main.ts"]);
  assert.deepEqual(await client.connectors(), await operations.connectors());
  assert.equal(await client.connectorLog("ocr-local"), "ready: ocr-local\n");
  assert.deepEqual(await client.image(), await operations.image());
  assert.equal((await client.imageBuild()).usable, true);
  assert.equal((await rejected(client.imagePull())).kind, "unavailable");
  await client.shutDown();
  assert.equal(operations.stopped, true);
});

Deno.test("configuration goes there and back", async () => {
  await using it = await served();
  const { client, operations } = it;
  const project = await client.projectAdd({
    name: "books",
    path: "/books",
    requires: ["ocr/v1"],
    privacy: "local",
  });
  assert.equal(project.privacy, "local");
  const binding = {
    name: "ocr-local",
    connector: "ocr-tesseract",
    description: "",
    settings: { workers: "2" },
  };
  await client.bindingAdd({ ...binding, secrets: {} });
  await client.connectorRestart("ocr-local");
  await client.agentAdd({ name: "clerk", project: "books", harness: "external", command: [], services: {} });
  await client.select("agent", "clerk", "ocr", ["ocr-local"]);
  assert.deepEqual((await client.agents())[0]?.services, { ocr: ["ocr-local"] });
  await client.select("project", "books", "ocr", []);
  assert.deepEqual((await client.externalServices("clerk")).services, ["llm", "ocr"]);
  await client.secretSet("key", utf8("s3cret\0\u00ff"));
  assert.equal(utf8Text(operations.secretMap.get("key")!), "s3cret\0\u00ff");
  assert.deepEqual((await client.secrets()).map(({ name }) => name), ["key"]);
  await client.secretRemove("key");
  await client.agentRemove("clerk");
  await client.bindingRemove("ocr-local");
  await client.projectRemove("books");
  assert.deepEqual([await client.agents(), await client.bindings(), await client.projects()], [[], [], []]);
});

Deno.test("names hold whatever they hold", async () => {
  await using it = await served();
  const { client, operations } = it;
  const name = "notes/v1?x=1#y é%2F";
  operations.trustViews = [{
    kind: "interface",
    name,
    hash: "b".repeat(64),
    trustedHash: null,
    text: "read me",
  }];
  assert.deepEqual(await client.trustShow(name), operations.trustViews);
  await client.trustSet("interface", name, "b".repeat(64));
  assert.deepEqual(operations.trusted, [`interface ${name} ${"b".repeat(64)}`]);
  assert.throws(() => client.bindingRemove(".."), /nothing is ever named/);
});

Deno.test("null in a compared call's input is the caller's own", async () => {
  await using it = await served();
  const report = await it.client.connectorCompare("ocr_extract", { path: null }, "/books", ["a", "b"]);
  assert.deepEqual(report.sides[1]?.result, { path: null });
});

Deno.test("calls are asked for with their filters", async () => {
  await using it = await served();
  const calls = await it.client.calls({ caller: "agent:clerk & co", failedOnly: true, since: 3, limit: 9 });
  assert.deepEqual(calls.map(({ id }) => id), ["c2"]);
  assert.deepEqual(it.operations.queries, [{
    caller: "agent:clerk & co",
    failedOnly: true,
    since: 3,
    limit: 9,
  }]);
});

Deno.test("a session's log is followed, and left", async () => {
  await using it = await served();
  const { client, operations } = it;
  await client.projectAdd({ name: "p", path: "/p", requires: [], privacy: "any" });
  await client.agentAdd({ name: "a", project: "p", harness: "command", command: ["x"], services: {} });
  const { id } = await client.run("a", "hello");
  assert.deepEqual((await client.sessions(false)).map((session) => session.id), [id]);
  await client.sessionInput(id, utf8("more\n"));
  assert.deepEqual(operations.inputs, ["hello", "more\n"]);
  let text = "";
  for await (const chunk of client.sessionLog(id, 5, true, new AbortController().signal)) {
    text += utf8Text(chunk);
  }
  assert.equal(text, "one\nline two\n");
  assert.equal((await client.session(id)).state, "exited");
  operations.endlessLog = true;
  operations.logClosed = false;
  const stop = new AbortController();
  for await (const _ of client.sessionLog(id, 0, true, stop.signal)) stop.abort();
  while (!operations.logClosed) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal((await client.sessionStop(id)).state, "stopped");
});

Deno.test("a check's lines come as they are, its error as an error", async () => {
  await using it = await served();
  const lines: string[] = [];
  const report = await it.client.connectorCheck("ocr-tesseract", null, (line) => lines.push(line));
  assert.equal(lines.length, 2);
  assert.equal(report.binding, "ocr-local");
  assert.equal((await rejected(it.client.connectorCheck("no", null, () => {}))).kind, "not_found");
});

Deno.test("errors come back whole", async () => {
  await using it = await served();
  const where = { file: "a.toml", line: 2, key: "x" };
  const inner = new HandlerError("invalid", "unknown key", { where, hint: "leave it out" });
  it.operations.reload = () => Promise.reject(new ProblemList("the configuration", [inner]));
  const list = await rejected(it.client.reload());
  assert.ok(list instanceof ProblemList);
  assert.equal(list.toString(), "the configuration: 1 problem\n  a.toml:2:x: unknown key");
  assert.equal(list.problems[0]?.hint, "leave it out");
  const missing = await rejected(it.client.session("none"));
  assert.deepEqual([missing.kind, missing.message], ["not_found", "there is no session none"]);
});

Deno.test("where no daemon answers, the error says how to start it", async () => {
  const folder = await Deno.makeTempDir();
  using client = connectClient(`${folder}/handlerd.sock`);
  const error = await rejected(client.status());
  assert.equal(error.kind, "unreachable");
  assert.equal(error.hint, "start it with `handlerd`");
  await Deno.writeTextFile(`${folder}/handlerd.sock`, "");
  assert.equal((await rejected(client.status())).kind, "unreachable");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("an answer that breaks off is an error, not a half answer", async () => {
  const folder = await Deno.makeTempDir();
  const listener = Deno.listen({ transport: "unix", path: `${folder}/handlerd.sock` });
  const answering = (async () => {
    const connection = await listener.accept();
    await connection.read(new Uint8Array(4096));
    const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n";
    await connection.write(utf8(head + '{"version":'));
    connection.close();
    listener.close();
  })();
  using client = connectClient(`${folder}/handlerd.sock`);
  const error = await rejected(client.status());
  assert.equal(error.kind, "unreachable");
  assert.match(error.message, /before its answer was whole/);
  await answering;
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a stop does not wait longer than told for a log that is followed", async () => {
  await using it = await served();
  const { client, operations, server } = it;
  await client.projectAdd({ name: "p", path: "/p", requires: [], privacy: "any" });
  await client.agentAdd({ name: "a", project: "p", harness: "command", command: ["x"], services: {} });
  operations.endlessLog = true;
  const { id } = await client.run("a", null);
  const stop = new AbortController();
  for await (const _ of client.sessionLog(id, 0, true, stop.signal)) {
    await server.stop(10);
    stop.abort();
  }
  while (!operations.logClosed) await new Promise((resolve) => setTimeout(resolve, 5));
  await assert.rejects(Deno.stat(it.path));
});

Deno.test("the socket's folder is its owner's alone, and a second daemon is refused", async () => {
  await using it = await served();
  const folder = it.path.slice(0, it.path.lastIndexOf("/"));
  assert.equal((await Deno.stat(folder)).mode! & 0o777, 0o700);
  const app = createApi({ operations: it.operations, log: silentLogger, clock: new TestClock() });
  assert.equal((await rejected(serveApi(app, it.path))).kind, "conflict");
  assert.equal((await it.client.status()).pid, 4711);
});
