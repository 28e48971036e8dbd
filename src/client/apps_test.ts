import assert from "node:assert/strict";
import { createApi, serveApi } from "../api/mod.ts";
import { silentLogger, TestClock } from "../base/mod.ts";
import { MemoryOperations } from "../../tests/fakes/operations.ts";
import { connectClient } from "./mod.ts";

async function served() {
  const folder = await Deno.makeTempDir();
  const operations = new MemoryOperations();
  const server = await serveApi(
    createApi({ operations, log: silentLogger, clock: new TestClock() }),
    `${folder}/handlerd.sock`,
  );
  const client = connectClient(`${folder}/handlerd.sock`);
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

Deno.test("an app is added, planned, deployed step by step, and looked at", async () => {
  await using it = await served();
  const { client, operations } = it;
  assert.deepEqual(await client.appNew("notes", "/src/notes"), { folder: "/src/notes" });
  assert.equal((await client.appAdd("/src/notes")).name, "notes");
  const { hash } = await client.appPlan("notes");
  const steps: string[] = [];
  const report = await client.appDeploy("notes", hash, ({ step, state }) => steps.push(`${step} ${state}`));
  assert.deepEqual(steps.slice(0, 4), ["snapshot started", "snapshot done", "test started", "test done"]);
  assert.deepEqual([report.deployed, report.rehearsal.length], [true, 2]);
  assert.deepEqual(await client.app("notes"), await operations.app("notes"));
  assert.deepEqual(await client.apps(), await operations.apps());
  assert.deepEqual(await client.appVersions("notes"), await operations.appVersions("notes"));
  await assert.rejects(client.appDeploy("notes", "b".repeat(64), () => {}), { kind: "conflict" });
  await assert.rejects(client.appDeploy("notes", "yes", () => {}), {
    message: "the request's body: 1 problem",
  });
  await assert.rejects(client.app("none"), { kind: "not_found", message: "there is no app none" });
});

Deno.test("a check tells what it looks at, then what is wrong", async () => {
  await using it = await served();
  const lines: string[] = [];
  const problems = await it.client.appCheck("/src/notes", (line) => lines.push(line));
  assert.deepEqual([lines, problems[0]?.message], [["the manifest"], "unknown key"]);
  await assert.rejects(it.client.appCheck("notes", () => {}), { kind: "invalid" });
});

Deno.test("what is done to an app arrives as it was asked", async () => {
  await using it = await served();
  const { client, operations } = it;
  await client.appAdd("/src/notes");
  operations.lostRows = [{ table: "notes", rows: 3 }];
  operations.backupViews = [{ name: "kept-1", takenAt: 1, bytes: 2, why: "set aside" }];
  assert.deepEqual((await client.appRollbackPlan("notes")).lostRows, operations.lostRows);
  assert.equal((await client.appRollback("notes")).kept, "kept-1");
  assert.deepEqual(await client.appBackups("notes"), operations.backupViews);
  await client.appSettle("notes", {
    secrets: { KEY: "store:key" },
    files: { scans: "/scans" },
    services: { ocr: ["a"] },
  });
  await client.appBackup("notes", "/b");
  assert.equal((await client.appRestore("notes", "kept-1")).kept, "kept-2");
  await client.appExport("notes", "/notes.pack");
  await client.appStop("notes");
  await client.appImport("/notes.pack");
  assert.equal(await client.appLog("notes"), "started\u001b[2J notes\n");
  assert.equal((await client.appRename("notes", "jots")).name, "jots");
  await client.appRemove("jots", true);
  assert.deepEqual(operations.done, [
    'settle notes {"secrets":{"KEY":"store:key"},"files":{"scans":"/scans"},"services":{"ocr":["a"]}}',
    "backup notes /b",
    "restore notes kept-1",
    "export notes /notes.pack",
    "stop notes",
    "import /notes.pack",
    "remove jots with data",
  ]);
});

Deno.test("windows, persons and shortcuts", async () => {
  await using it = await served();
  const { client } = it;
  await client.appAdd("/src/notes");
  assert.match(
    (await client.appLink("notes", "owner")).url,
    /^http:\/\/notes\.localhost:7430\/.*#token-of-owner$/,
  );
  assert.deepEqual((await client.appShare("notes", "alice", true)).persons, ["owner", "alice"]);
  assert.deepEqual((await client.appShare("notes", "alice", false)).persons, ["owner"]);
  const { app, alsoUsedBy } = await client.appShortcut("notes", "<Super>n");
  assert.deepEqual([app.shortcut, alsoUsedBy], [
    "<Super>n",
    "org.gnome.shell.keybindings focus-active-notification",
  ]);
  assert.equal((await client.appShortcut("notes", null)).app.shortcut, null);
});

Deno.test("persons come and go, and read what they were told", async () => {
  await using it = await served();
  const { client, operations } = it;
  const alice = await client.personAdd({ name: "alice", displayName: "Alice", desktop: null });
  assert.deepEqual([alice.displayName, alice.desktop], ["Alice", false]);
  assert.equal((await client.personAdd({ name: "bob", displayName: null, desktop: true })).desktop, true);
  assert.deepEqual((await client.persons()).map(({ name }) => name), ["owner", "alice", "bob"]);
  await client.personRemove("bob");
  const item = { id: "m1", title: "T", text: "", source: "app:coach", at: 1, link: null, read: false };
  operations.inboxItems = [item, { ...item, id: "m2", read: true }];
  assert.deepEqual((await client.inbox("alice", true)).map(({ id }) => id), ["m1"]);
  await client.inboxRead("alice", ["m1"]);
  assert.deepEqual(await client.inbox("alice", true), []);
  assert.equal((await client.inbox("alice", false)).length, 2);
  await client.inboxUnread("alice", ["m1"]);
  assert.deepEqual((await client.inbox("alice", true)).map(({ id }) => id), ["m1"]);
});
