import assert from "node:assert/strict";
import { silentLogger, TestClock } from "../base/mod.ts";
import {
  type ChildLink,
  type MessageRow,
  openThreadStore,
  type ThreadRow,
  type TurnRow,
} from "../store/mod.ts";
import type { ThreadsPorts } from "./ports.ts";
import { exportThread } from "./transfer.ts";
import { importThread } from "./transfer_import.ts";

const AT = 1_700_000_000_000_000;

function thread(id: string, given: Partial<ThreadRow> = {}): ThreadRow {
  return {
    ...{ id, project: "desk", agent: "a", person: "ann", title: "T", description: null, createdAt: AT },
    ...{ link: null, arguments: '{"n":1}', terminatedAt: null, stopped: false, status: "awaiting_human" },
    ...{ statusText: null, seq: 4, seenA: 1, seenB: 0, turn: null, session: 1, sessionOpen: true },
    ...{ turnsA: 1, turnsB: 0, hops: 0 },
    ...given,
  };
}

function message(id: string, seq: number, given: Partial<MessageRow> = {}): MessageRow {
  return {
    ...{ thread: id, seq, rev: seq, id: `${id}m${seq}`, role: "user", content: "zwölf\nZeilen", name: null },
    ...{ toolCalls: null, toolCallId: null, toolStatus: null, createdAt: AT, silent: false },
    ...{
      metadata: '{"k":1}',
      attachments: null,
      parentId: null,
      depth: 0,
      turn: null,
      hops: 0,
      deleted: false,
    },
    ...given,
  };
}

function turn(id: string, given: Partial<TurnRow>): TurnRow {
  return {
    ...{ thread: id, seq: 3, rev: 3, id: `${id}u3`, session: 1, side: "a", backing: "handler", name: "h" },
    ...{ messageId: `${id}m1`, state: "done", startedAt: AT, endedAt: AT, stopCode: null, error: null },
    ...given,
  };
}

const CHILD_LINK: ChildLink = {
  ...{ parent: "p", relationship: "r", owner: "a", communication: "implicit", blocking: false },
  spawnGroup: null,
};

async function home(projects: readonly string[] = ["desk"]) {
  const folder = await Deno.makeTempDir();
  const clock = new TestClock(AT / 1000);
  const store = await openThreadStore({ path: `${folder}/threads.db`, clock, log: silentLogger });
  const isProject = (name: string) => projects.includes(name);
  const ports = { store, clock, filesFolder: `${folder}/files`, isProject } as unknown as ThreadsPorts;
  return {
    ports,
    store,
    export: (id: string) => Array.fromAsync(exportThread(ports, id)),
    import: (lines: readonly string[], project?: string) =>
      importThread(ports, ReadableStream.from(lines), project),
    async [Symbol.asyncDispose]() {
      store.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

type Home = Awaited<ReturnType<typeof home>>;

async function fill({ store, ports }: Home): Promise<void> {
  await Deno.mkdir(`${ports.filesFolder}/p/attachments`, { recursive: true });
  await Deno.writeTextFile(`${ports.filesFolder}/p/attachments/a b.txt`, "bytes");
  const file = { thread: "p", createdAt: AT, updatedAt: AT, metadata: null };
  await store.write("power", (tx) => {
    tx.insertThread(thread("p", { turn: "pu3", status: "running" }));
    tx.insertMessage(message("p", 1));
    tx.insertMessage(message("p", 2, { rev: 4, content: null, metadata: null, deleted: true }));
    tx.insertTurn(turn("p", { state: "running", endedAt: null }));
    tx.putSession({
      thread: "p",
      number: 1,
      openedAt: AT,
      closedAt: null,
      reason: null,
      success: null,
      result: null,
    });
    tx.putValue("p", "list", "[1]");
    tx.putEnv("p", { name: "CITY", value: "Chemnitz", type: "text" });
    tx.putEnv("p", { name: "KEY", value: "hush", type: "secret" });
    tx.putFile({ ...file, path: "/attachments", mimeType: "inode/directory", size: 0, isDirectory: true });
    tx.putFile({
      ...file,
      path: "/attachments/a b.txt",
      mimeType: "text/plain",
      size: 5,
      isDirectory: false,
    });
    tx.insertEffect({
      ...{ id: "e1", thread: "p", name: "later", args: "{}", scheduledAt: AT, createdAt: AT },
      ...{ state: "pending", error: null },
    });
    tx.insertThread(thread("c", { link: CHILD_LINK, seq: 1 }));
    tx.insertMessage(message("c", 1));
  });
}

Deno.test("a thread and its child come back as they were, without secrets, what was under way interrupted", async () => {
  await using from = await home();
  await using to = await home(["shop"]);
  await fill(from);
  const lines = await from.export("p");
  assert.ok(!lines.join("").includes("hush"));
  const [parent, child] = await to.import(lines, "shop");
  assert.deepEqual([parent?.id, child?.id, parent?.project, child?.link], ["p", "c", "shop", CHILD_LINK]);
  const { store } = to;
  assert.deepEqual(store.thread("p"), thread("p", { project: "shop", status: "idle" }));
  assert.deepEqual(store.message("p", "pm1"), message("p", 1));
  assert.equal(store.message("p", "pm2")?.deleted, true);
  const interrupted = store.turn("pu3");
  assert.deepEqual([interrupted?.state, interrupted?.error?.type], ["interrupted", "interrupted_incomplete"]);
  assert.deepEqual(store.sessions("p"), from.store.sessions("p"));
  assert.equal(store.value("p", "list"), "[1]");
  assert.deepEqual(store.env("p"), [{ name: "CITY", value: "Chemnitz", type: "text" }]);
  assert.deepEqual(store.files("p"), from.store.files("p"));
  assert.equal(await Deno.readTextFile(`${to.ports.filesFolder}/p/attachments/a b.txt`), "bytes");
  assert.deepEqual(store.pendingEffects("p"), from.store.pendingEffects("p"));
  assert.deepEqual(store.children("p").map(({ id }) => id), ["c"]);
});

Deno.test("many messages are exported page by page, each once", async () => {
  await using from = await home();
  await from.store.write("power", (tx) => {
    tx.insertThread(thread("p", { seq: 1203 }));
    for (let seq = 1; seq <= 1203; seq++) tx.insertMessage(message("p", seq));
  });
  const lines = await from.export("p");
  assert.equal(lines.length, 1206);
  assert.equal(new Set(lines).size, 1206);
  assert.equal(lines.at(-1), '{"end":true,"lines":1204}');
});

Deno.test("an import is all or nothing", async () => {
  await using from = await home();
  await using to = await home();
  await fill(from);
  const lines = await from.export("p");
  const nothing = () => assert.equal(to.store.thread("p"), undefined);
  await assert.rejects(to.import(lines.slice(0, -1)), { kind: "invalid", message: /is not whole/ });
  await assert.rejects(to.import([...lines.slice(0, 3), ...lines.slice(4)]), { kind: "invalid" });
  await assert.rejects(to.import(lines, "nowhere"), { kind: "not_found" });
  await assert.rejects(to.import(["{}"]), { message: /^line 1 of the export must say the format/ });
  nothing();
  await assert.rejects(from.import(lines), { kind: "conflict", message: "there is a thread p already" });
  await to.store.write("power", (tx) => tx.insertThread(thread("x")));
  await to.import(lines);
  await assert.rejects(to.import(lines), { kind: "conflict" });
  assert.equal(await Deno.readTextFile(`${to.ports.filesFolder}/p/attachments/a b.txt`), "bytes");
});

Deno.test("a line that is not right is told with its number", async () => {
  await using to = await home();
  const head = '{"format":"handler.thread-export/v1","thread":"p"}';
  const row = JSON.stringify({ thread: thread("p") });
  const wrong: readonly (readonly [lines: readonly string[], message: RegExp])[] = [
    [[head, "no"], /^line 2 of the export is no JSON/],
    [[head, '{"person":{}}'], /^line 2 of the export is no row of a thread/],
    [[head, row.replace('"seq":4', '"seq":"4"')], /line 2 .* a thread whose seq is not right/],
    [[head, row.replace('"seq":4', '"seq":4,"more":1')], /an unknown "more"/],
    [[head, row.replace('"id":"p"', '"id":"../p"'), '{"end":true,"lines":1}'], /no id of its own/],
    [
      [head, JSON.stringify({ message: message("q", 1) }), '{"end":true,"lines":1}'],
      /does not stand before it/,
    ],
    [[head, '{"end":true,"lines":0}'], /holds no thread/],
  ];
  for (const [lines, message] of wrong) await assert.rejects(to.import(lines), { kind: "invalid", message });
});

Deno.test("a file whose path leads out is refused", async () => {
  await using from = await home();
  await using to = await home();
  await fill(from);
  const lines = (await from.export("p")).map((line) => line.replace('"/attachments/a b.txt"', '"/../../x"'));
  await assert.rejects(to.import(lines), { kind: "usage" });
  assert.equal(to.store.thread("p"), undefined);
});

Deno.test("a thread that is not there is not exported", async () => {
  await using from = await home();
  await assert.rejects(from.export("p"), { kind: "not_found" });
});
