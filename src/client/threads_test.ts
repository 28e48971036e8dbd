import assert from "node:assert/strict";
import { createApi, serveApi, type WatchEvent } from "../api/mod.ts";
import { silentLogger, TestClock, utf8, utf8Text } from "../base/mod.ts";
import { httpClientUnix } from "../platform/mod.ts";
import { MemoryOperations } from "../../tests/fakes/operations.ts";
import { connectClient } from "./mod.ts";

const PAGE = { limit: 100, offset: 0, order: "asc" } as const;
const NEW = { project: "desk", agent: "relay_agent", person: null, title: null, arguments: {}, env: {} };

async function served() {
  const folder = await Deno.makeTempDir();
  const operations = new MemoryOperations();
  const socket = `${folder}/handlerd.sock`;
  const api = createApi({ operations, log: silentLogger, clock: new TestClock() });
  const server = await serveApi(api, socket);
  const client = connectClient(socket);
  return {
    operations,
    client,
    socket,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await server.stop(1000).catch(() => {});
      await Deno.remove(folder, { recursive: true });
    },
  };
}

function said(content: string) {
  return { content, side: undefined, metadata: undefined, attachments: [] };
}

/** The first so many events of a thread after a revision. */
async function events(client: ReturnType<typeof connectClient>, id: string, after: number, count: number) {
  const stop = new AbortController();
  const found: WatchEvent[] = [];
  for await (const event of client.threadWatch(id, after, stop.signal)) {
    if (found.push(event) === count) stop.abort();
  }
  return found;
}

Deno.test("a thread is made, spoken to and read", async () => {
  await using it = await served();
  const { client } = it;
  const thread = await client.threadNew({ ...NEW, person: "ann", title: "T", arguments: { n: null } });
  assert.deepEqual([thread.id, thread.project, thread.person, thread.title], ["t1", "desk", "ann", "T"]);
  assert.equal((await client.thread("t1")).thread.arguments, '{"n":null}');
  const sent = await client.threadSend("t1", { ...said("hi"), metadata: { a: null }, attachments: ["/a"] });
  assert.deepEqual([sent.id, sent.content], ["m1", "hi"]);
  assert.deepEqual(sent.metadata, { metadata: { a: null }, attachments: ["/a"] });
  const messages = await client.threadMessages("t1", { ...PAGE, includeSilent: true });
  assert.deepEqual(messages.map(({ content }) => content), ["hi", "echo: hi"]);
  const [last] = await client.threadMessages("t1", {
    ...PAGE,
    order: "desc",
    limit: 1,
    includeSilent: false,
  });
  assert.equal(last?.content, "echo: hi");
  assert.deepEqual((await client.threadTurns("t1", PAGE)).map(({ state }) => state), ["done"]);
  assert.deepEqual(await client.threadLogs("t1", PAGE), []);
  assert.equal((await client.threadSessions("t1"))[0]?.number, 1);
  await assert.rejects(client.threadNew({ ...NEW, agent: "no" }), { kind: "not_found" });
  await assert.rejects(client.threadSend("none", said("x")), { kind: "not_found" });
});

Deno.test("threads are found by project, person, parent and status", async () => {
  await using it = await served();
  const { client } = it;
  await client.threadNew(NEW);
  await client.threadNew({ ...NEW, project: "shop", person: "bob" });
  const rest = { limit: 10, offset: 0 };
  const ids = async (query: object) => (await client.threads({ ...rest, ...query })).map(({ id }) => id);
  assert.deepEqual(await ids({}), ["t2", "t1"]);
  assert.deepEqual(await ids({ project: "desk" }), ["t1"]);
  assert.deepEqual(await ids({ person: "bob", parent: null }), ["t2"]);
  assert.deepEqual(await ids({ parent: "t1" }), []);
  assert.deepEqual(await ids({ status: "running" }), []);
  await assert.rejects(ids({ status: "happy" }), { kind: "usage" });
});

Deno.test("a thread is stopped, goes on, ends and is removed", async () => {
  await using it = await served();
  const { client } = it;
  await client.threadNew(NEW);
  await client.threadStop("t1");
  assert.equal((await client.thread("t1")).thread.stopped, true);
  await client.threadResume("t1");
  assert.equal((await client.thread("t1")).thread.stopped, false);
  await client.threadTerminate("t1");
  await assert.rejects(client.threadSend("t1", said("x")), { kind: "conflict" });
  await client.threadRemove("t1");
  await assert.rejects(client.thread("t1"), { kind: "not_found" });
});

Deno.test("a watcher sees what was, what comes, and goes on where it left", async () => {
  await using it = await served();
  const { client, operations } = it;
  await client.threadNew(NEW);
  await client.threadSend("t1", said("one"));
  const first = await events(client, "t1", 0, 3);
  assert.deepEqual(first.map((one) => "id" in one ? one.id : null), [1, 3, 4]);
  assert.ok(first[0]?.event === "change" && first[0].change.kind === "message");
  const later = events(client, "t1", 4, 4);
  operations.tell("t1", { event: "delta", data: { text: "e\nc" } });
  operations.tell("t1", { event: "custom", name: "progress", data: 1 });
  await client.threadSend("t1", said("two"));
  assert.deepEqual((await later).slice(0, 2), [
    { event: "delta", data: { text: "e\nc" } },
    { event: "custom", name: "progress", data: 1 },
  ]);
  await assert.rejects(events(client, "none", 0, 1), { kind: "not_found" });
});

Deno.test("the last event's id in the header counts more than the query", async () => {
  await using it = await served();
  await it.client.threadNew(NEW);
  await it.client.threadSend("t1", said("one"));
  await it.client.threadSend("t1", said("two"));
  using http = httpClientUnix(it.socket);
  const headers = { "last-event-id": "3" };
  const stop = new AbortController();
  const response = await http.fetch("http://handlerd/v1/threads/t1/watch?after=0", {
    headers,
    signal: stop.signal,
  });
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += utf8Text(chunk);
    if (text.includes("id:")) break;
  }
  stop.abort();
  assert.match(text, /^: watching\n\nid: 4\nevent: change\ndata: \{"change":\{"rev":4,"kind":"turn"/);
});

Deno.test("a thread leaves as lines and comes back", async () => {
  await using it = await served();
  const { client } = it;
  await client.threadNew(NEW);
  await client.threadSend("t1", said("zwölf\nZeilen"));
  const lines = await Array.fromAsync(client.threadExport("t1", new AbortController().signal));
  assert.equal(lines.length, 3);
  const again = () => ReadableStream.from(lines);
  await assert.rejects(client.threadImport(again(), null), { kind: "conflict" });
  await client.threadRemove("t1");
  assert.deepEqual(await client.threadImport(again(), "shop"), { id: "t1" });
  assert.equal((await client.thread("t1")).thread.project, "shop");
  const messages = await client.threadMessages("t1", { ...PAGE, includeSilent: true });
  assert.equal(messages[0]?.content, "zwölf\nZeilen");
});

Deno.test("files go in and come out", async () => {
  await using it = await served();
  const { client, operations } = it;
  await client.threadNew(NEW);
  await client.threadPutFile("t1", "/attachments/a b.txt", "text/plain", utf8("ä"));
  assert.deepEqual(operations.asked, ["put /attachments/a b.txt text/plain 2"]);
  assert.deepEqual((await client.threadFiles("t1")).map(({ path, size }) => [path, size]), [[
    "/attachments/a b.txt",
    2,
  ]]);
  assert.equal(utf8Text(await client.threadFile("t1", "/attachments/a b.txt")), "ä");
  await client.threadPutFile("t1", "/big", "application/pdf", new Uint8Array(6_000_000));
  await assert.rejects(client.threadFile("t1", "/none"), { kind: "not_found" });
});

Deno.test("definitions are checked, and their names written as types", async () => {
  await using it = await served();
  const { client, operations } = it;
  assert.deepEqual(await client.threadsCheck("desk"), operations.definitionsView);
  assert.deepEqual(await client.threadsTypes("desk"), {
    files: [{ path: ".agents/types.d.ts", text: "// desk\n" }],
    remarks: ["deno.json: add nothing"],
  });
});

Deno.test("messages are paged by their place, and one is found by its id", async () => {
  await using it = await served();
  const { client } = it;
  await client.threadNew(NEW);
  for (const text of ["one", "two", "three"]) await client.threadSend("t1", said(text));
  const texts = async (query: object) =>
    (await client.threadMessages("t1", { ...PAGE, includeSilent: true, ...query })).map(({ content }) =>
      content
    );
  const two = (await client.threadMessages("t1", { ...PAGE, includeSilent: true }))[2]!;
  assert.deepEqual([two.content, two.seq, two.turn], ["two", 5, null]);
  assert.deepEqual(await texts({ after: two.seq, limit: 2 }), ["echo: two", "three"]);
  assert.deepEqual(await texts({ before: two.seq, order: "desc", limit: 1, maxDepth: 3 }), ["echo: one"]);
  assert.equal((await client.threadMessage("t1", two.id)).content, "two");
  await assert.rejects(client.threadMessage("t1", "none"), { kind: "not_found" });
  assert.deepEqual((await client.threadTurns("t1", { ...PAGE, before: two.seq })).length, 1);
});

Deno.test("a list says what was said last; what a thread keeps is shown but for secrets", async () => {
  await using it = await served();
  const { client } = it;
  await client.threadNew(NEW);
  await client.threadSend("t1", said("hi"));
  const [entry] = await client.threads({ limit: 9, offset: 0, agent: "relay_agent", ended: false });
  assert.deepEqual([entry?.last?.text, entry?.children], ["echo: hi", 0]);
  assert.deepEqual(await client.threads({ limit: 9, offset: 0, agent: "other" }), []);
  assert.equal((await client.thread("t1")).sides.a?.name, "relay_pipe");
  assert.deepEqual((await client.threadKept("t1")).variables, [{ name: "KEY", type: "secret", value: null }]);
  await assert.rejects(client.threadEffectCancel("t1", "e"), { kind: "conflict" });
});
