import assert from "node:assert/strict";
import { createApi, serveApi } from "../api/mod.ts";
import { HandlerError, silentLogger, TestClock, utf8, utf8Text } from "../base/mod.ts";
import { MemoryOperations } from "../../tests/fakes/operations.ts";
import { connectClient } from "./mod.ts";

async function served() {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/handlerd.sock`;
  const operations = new MemoryOperations();
  const server = await serveApi(createApi({ operations, log: silentLogger, clock: new TestClock() }), path);
  const client = connectClient(path);
  return {
    operations,
    client,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await server.stop(1000).catch(() => {});
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function kindOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(() => undefined, (thrown) => thrown);
  assert.ok(error instanceof HandlerError, String(error));
  return error.kind;
}

const never = new AbortController().signal;

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !holds(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(holds());
}

Deno.test("changes begin with a word on the daemon, and end when nobody listens", async () => {
  await using it = await served();
  const { client, operations } = it;
  const left = new AbortController();
  let hello = "";
  const changes = client.changes(left.signal, ({ instance, version }) => hello = `${instance} ${version}`);
  const first = changes[Symbol.asyncIterator]().next();
  await until(() => hello !== "");
  assert.equal(hello, "i1 0.1.0");
  operations.change("jobs", "j1");
  assert.deepEqual((await first).value, { topic: "jobs", key: "j1" });
  left.abort();
  await until(() => operations.changesClosed);
});

Deno.test("long work is started, seen and found again", async () => {
  await using it = await served();
  const { client, operations } = it;
  const job = await client.jobStart({ kind: "connector-check", connector: "ocr-tesseract", binding: null });
  assert.deepEqual(job.request, { kind: "connector-check", connector: "ocr-tesseract", binding: null });
  operations.endJob(job.id, { passed: true });
  assert.deepEqual((await client.job(job.id)).result, { passed: true });
  assert.equal((await client.jobs()).length, 1);
  assert.equal(await kindOf(client.job("j9")), "not_found");
  const hash = "a".repeat(64);
  assert.equal((await client.jobStart({ kind: "deploy", app: "notes", hash })).request.kind, "deploy");
  assert.equal((await client.jobStart({ kind: "image", how: "pull" })).request.kind, "image");
  assert.equal((await client.jobStart({ kind: "app-check", folder: "/a" })).request.kind, "app-check");
  assert.equal(await kindOf(client.jobStart({ kind: "deploy", app: "notes", hash: "x" })), "invalid");
  assert.equal(await kindOf(client.jobStart({ kind: "dance" } as never)), "invalid");
});

Deno.test("a trial takes files, calls, and gives files back", async () => {
  await using it = await served();
  const { client, operations } = it;
  const { id } = await client.trialNew();
  const large = new Uint8Array(6 * 1024 * 1024).fill(65);
  assert.equal((await client.trialPut(id, "größe.txt", ReadableStream.from([large]))).size, large.length);
  await client.trialPut(id, "b.txt", new Blob(["text"]));
  assert.deepEqual((await client.trial(id)).files.map(({ name }) => name), ["größe.txt", "b.txt"]);
  const bytes = await Array.fromAsync(client.trialFile(id, "b.txt"));
  assert.equal(bytes.map((chunk) => utf8Text(chunk)).join(""), "text");
  const call = { tool: "ocr_extract", binding: "ocr-local", input: { path: "b.txt", more: null } };
  assert.deepEqual((await client.trialCall(id, call, never)).result, call.input);
  assert.equal(await kindOf(Array.fromAsync(client.trialFile(id, "c.txt"))), "not_found");
  operations.endlessTrial = true;
  const left = new AbortController();
  const endless = client.trialCall(id, call, left.signal).catch(() => "left");
  setTimeout(() => left.abort(), 50);
  assert.equal(await endless, "left");
  await until(() => operations.trialCancelled);
  await client.trialRemove(id);
  assert.equal(await kindOf(client.trial(id)), "not_found");
});

Deno.test("a trial's file is handed to a browser as nothing that it would show", async () => {
  const operations = new MemoryOperations();
  const app = createApi({ operations, log: silentLogger, clock: new TestClock() });
  const { id } = await operations.trialNew();
  await operations.trialPut(id, 'a "b".html', new Blob(["<script>"]));
  const path = `http://handlerd/v1/trials/${id}/files/${encodeURIComponent('a "b".html')}`;
  const response = await app.fetch(new Request(path, { headers: { host: "handlerd" } }));
  assert.equal(response.headers.get("content-type"), "text/plain");
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  assert.match(
    response.headers.get("content-disposition")!,
    /^attachment; filename\*=UTF-8''a%20%22b%22\.html$/,
  );
  assert.equal(await response.text(), "<script>");
});

Deno.test("calls are filtered, found, added up and exported", async () => {
  await using it = await served();
  const { client, operations } = it;
  const query = { tool: "t", error: "limit", since: 1, until: 2, before: "c9", limit: 3 };
  await client.calls(query);
  assert.deepEqual(operations.queries.at(-1), { ...query, failedOnly: false });
  assert.equal((await client.call("c2")).error, "unavailable");
  assert.equal(await kindOf(client.call("c9")), "not_found");
  const wanted = { from: 0, to: 100, points: 10, binding: "ocr-local" };
  assert.equal((await client.callStats(wanted)).currency, "EUR");
  assert.deepEqual(operations.statsQueries, [wanted]);
  assert.equal(await kindOf(client.callStats({ ...wanted, to: 0 })), "usage");
  const whole = async (format: "csv" | "jsonl", limit: number) =>
    (await Array.fromAsync(client.callsExport({ limit }, format, never))).join("");
  assert.equal(await whole("csv", Infinity), "id,error\r\nc1,\r\nc2,unavailable\r\n");
  assert.equal((await whole("jsonl", 1)).split("\n").length, 2);
});

Deno.test("what is seen and set", async () => {
  await using it = await served();
  const { client } = it;
  assert.equal((await client.interfaceShow("ocr/v1")).view.id, "ocr/v1");
  assert.equal(await kindOf(client.interfaceShow("ocr/v2")), "not_found");
  assert.equal((await client.connectorChecks("ocr-tesseract"))[0]?.cases[0]?.name, "invoice text");
  assert.equal(await kindOf(client.connectorChecks("gone")), "not_found");
  await client.projectAdd({ name: "books", path: "/books", requires: [], privacy: "any", env: { A: "b" } });
  const agent = { name: "clerk", project: "books", harness: "command", command: ["ls"], services: {} };
  const made = await client.agentAdd({ ...agent, egress: ["a.example:443"], env: { X: "" }, model: "m" });
  assert.deepEqual([made.egress, made.env, made.model], [["a.example:443"], { X: "" }, "m"]);
  assert.equal((await client.agentSight("clerk")).folder, "/books");
  assert.equal((await client.settingSet("records.keepDays", "7")).settings[0]?.value, "7");
  assert.equal((await client.settingSet("records.keepDays", null)).settings[0]?.set, false);
  const error = await client.settingSet("records.keepDays", "soon").catch((thrown) => thrown);
  assert.equal(error.where.key, "records.keepDays");
});

Deno.test("what was removed is put back", async () => {
  await using it = await served();
  const { client, operations } = it;
  await client.projectAdd({ name: "books", path: "/books", requires: [], privacy: "any" });
  const removed = await client.projectRemove("books");
  assert.deepEqual(removed, { kind: "project", name: "books", text: "# books\n" });
  await client.putBack(removed);
  assert.deepEqual(operations.done, ["put back project books"]);
  assert.equal(await kindOf(client.putBack(removed)), "conflict");
});

Deno.test("the stream of changes is one that an EventSource reads", async () => {
  const operations = new MemoryOperations();
  const app = createApi({ operations, log: silentLogger, clock: new TestClock() });
  const response = await app.fetch(
    new Request("http://handlerd/v1/changes", { headers: { host: "handlerd" } }),
  );
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  const reader = response.body!.getReader();
  const next = async () => utf8Text((await reader.read()).value ?? utf8(""));
  assert.equal(await next(), 'event: hello\ndata: {"instance":"i1","version":"0.1.0"}\n\n');
  operations.change("calls");
  assert.equal(await next(), 'event: change\ndata: {"topic":"calls","key":null}\n\n');
  await reader.cancel();
  assert.equal(operations.changesClosed, true);
});

Deno.test("a folder is shown, the person's home where none is named", async () => {
  await using it = await served();
  assert.equal((await it.client.folder(null)).path, "/home/person");
  const { path, entries } = await it.client.folder("/a folder/ü");
  assert.deepEqual([path, entries.length], ["/a folder/ü", 2]);
});
