import assert from "node:assert/strict";
import type { Change, TrialCall } from "../../src/client/mod.ts";
import { HandlerError, utf8Text } from "../../src/base/mod.ts";
import { startHome, type SystemHome } from "./home.ts";
import { until } from "./wait.ts";

const never = new AbortController().signal;

/** What a home's daemon tells of, until it is left. */
function watch({ client }: SystemHome) {
  const left = new AbortController();
  const told: Change[] = [];
  let hello = "";
  const over = (async () => {
    for await (const change of client.changes(left.signal, ({ instance }) => hello = instance)) {
      told.push(change);
    }
  })();
  over.catch(() => {}); // it breaks off when the daemon ends, whether or not somebody waits for it by then
  const of = (topic: string) => told.filter((one) => one.topic === topic);
  return {
    of,
    hello: () => hello,
    heard: (topic: string) => until(`a change of ${topic}`, () => of(topic).length > 0),
    forget: () => told.length = 0,
    over,
    leave: () => (left.abort(), over),
  };
}

Deno.test("what happens is told to who watches, and a new daemon is another instance", async () => {
  await using home = await startHome({ files: { "agents/clerk.toml": CLERK } });
  const { client } = home;
  const seen = watch(home);
  await until("the first word", () => seen.hello() !== "");
  await client.secretSet("word", new TextEncoder().encode("open sesame"));
  await seen.heard("secrets");
  await client.personAdd({ name: "alice", displayName: null, desktop: null });
  await seen.heard("persons");
  await seen.heard("configuration");
  await client.run("clerk", null);
  await seen.heard("sessions");
  const trial = await client.trialNew();
  await client.trialCall(trial.id, { tool: "probe_act", binding: "probe", input: { act: "say" } }, never);
  await seen.heard("connectors");
  await seen.heard("calls");
  assert.deepEqual(seen.of("connectors")[0], { topic: "connectors", key: "probe" });
  const before = seen.hello();
  await home.stop("SIGTERM");
  await seen.over.catch(() => {});
  await home.start();
  const again = watch(home);
  await until("the first word of the new daemon", () => again.hello() !== "");
  assert.notEqual(again.hello(), before);
  await again.leave();
});

const CLERK = 'project = "desk"\nharness = "command"\ncommand = ["/bin/sh", "-c", "true"]\n' +
  'services = { probe = "probe" }\negress = ["api.example.com:443"]\nenv = { TONE = "kind" }\n';

Deno.test("a person tries a call: files in and out, its cost, its record", async () => {
  const priced = 'connector = "probe"\nprices = { calls = 0.5 }\n';
  await using home = await startHome({ files: { "bindings/probe.toml": priced } });
  const { client } = home;
  const { id } = await client.trialNew();
  await client.trialPut(id, "in.txt", new Blob(["hello there"]));
  const call = (tool: string, input: TrialCall["input"]) => ({ tool, binding: "probe", input });
  const read = await client.trialCall(id, call("probe_read", { path: "in.txt" }), never);
  assert.deepEqual(read.result, { size: 11, head: "hello there" });
  assert.deepEqual([read.error, read.cost, read.made], [null, 0, []]);
  const wrote = await client.trialCall(id, call("probe_write", { path: "out.txt", text: "made" }), never);
  assert.deepEqual(wrote.made, [{ name: "out.txt", size: 4, mediaType: "text/plain" }]);
  const bytes = await Array.fromAsync(client.trialFile(id, "out.txt"));
  assert.equal(bytes.map((chunk) => utf8Text(chunk)).join(""), "made");
  const refused = await client.trialCall(id, call("probe_act", { act: "refuse" }), never);
  assert.equal(refused.error?.code, "odd");
  const outside = await client.trialCall(id, call("probe_read", { path: "/etc/hostname" }), never);
  assert.equal(outside.error?.code, "invalid_input");
  await rejects(client.trialCall(id, call("probe_write", { path: "sub/out.txt", text: "" }), never), "usage");
  await rejects(client.trialCall(id, call("nothing", {}), never), "not_found");
  const [first] = await client.calls({ limit: 1, tool: "probe_act" });
  assert.deepEqual([first?.caller, first?.error, first?.binding], ["desk", "odd", "probe"]);
  assert.deepEqual(await client.call(String(first?.id)), first);
});

Deno.test("a call whose person leaves is cancelled, and says so in its record", async () => {
  await using home = await startHome();
  const { client } = home;
  const { id } = await client.trialNew();
  const left = new AbortController();
  const held = client.trialCall(
    id,
    { tool: "probe_act", binding: "probe", input: { act: "hold", text: "the line" } },
    left.signal,
  ).catch(() => "left");
  await until(
    "the call",
    async () => (await client.connectorLog("probe").catch(() => "")).includes("holds the line"),
  );
  left.abort();
  assert.equal(await held, "left");
  await until(
    "the end of the call",
    async () => (await client.connectorLog("probe")).includes("lets go of the line"),
  );
  await until("the record", async () => {
    const [record] = await client.calls({ limit: 1 });
    return record?.error === "cancelled" && record.caller === "desk";
  });
});

Deno.test("a check is a job that outlives who asked for it", async () => {
  await using home = await startHome();
  const { client } = home;
  const { id } = await client.jobStart({ kind: "connector-check", connector: "probe", binding: "probe" });
  await until("the end of the check", async () => (await client.job(id)).state !== "running");
  const job = await client.job(id);
  assert.ok(job.state === "failed" ? job.error : job.result, "it has an outcome");
  assert.equal((await client.jobs())[0]?.id, id);
  const missing = await client.jobStart({ kind: "deploy", app: "nothing", hash: "a".repeat(64) });
  await until("the end of the deploy", async () => (await client.job(missing.id)).state !== "running");
  assert.equal((await client.job(missing.id)).error?.kind, "not_found");
});

Deno.test("an agent sees what its sandbox gets", async () => {
  const script = "env | cut -d= -f1 | sort";
  const clerk = CLERK.replace('"true"', JSON.stringify(script));
  await using home = await startHome({ files: { "agents/clerk.toml": clerk } });
  const sight = await home.client.agentSight("clerk");
  assert.deepEqual(sight.interfaces.map(({ id, bindings }) => [id, bindings]), [["probe/v1", ["probe"]]]);
  assert.deepEqual([sight.folder, sight.egress], [home.work, ["api.example.com:443"]]);
  const shell = ["PWD", "OLDPWD", "SHLVL", "_"];
  const inside = (await home.run("clerk")).trim().split(/\r?\n/).filter((name) => !shell.includes(name));
  assert.deepEqual(sight.env.filter((name) => inside.includes(name)), sight.env, inside.join(" "));
});

Deno.test("settings are written, refused with their key, and in force", async () => {
  await using home = await startHome();
  const { client } = home;
  const set = await client.settingSet("threads.idleSeconds", "77");
  assert.equal(set.settings.find(({ key }) => key === "threads.idleSeconds")?.value, "77");
  assert.match(await Deno.readTextFile(set.file), /idleSeconds = 77/);
  const error = await client.settingSet("records.keepDays", "-1").catch((thrown) => thrown);
  assert.equal(error.problems[0].where.key, "records.keepDays");
  const { settings } = await client.settingSet("image", "example.com/other:1");
  const image = settings.find(({ key }) => key === "image")!;
  assert.deepEqual([image.value, image.waits], ["example.com/other:1", true]);
});

Deno.test("what is removed is put back with its comments", async () => {
  await using home = await startHome();
  const { client } = home;
  const file = `${home.path}/config/projects/books.toml`;
  await home.write("projects/books.toml", `# kept\npath = "${home.work}" # here\n`);
  await client.reload();
  const text = await Deno.readTextFile(file);
  const removed = await client.projectRemove("books");
  assert.deepEqual((await client.projects()).map(({ name }) => name), ["desk"]);
  await client.putBack(removed);
  assert.equal(await Deno.readTextFile(file), text);
  await rejects(client.putBack(removed), "conflict");
});

async function rejects(work: Promise<unknown>, kind: string): Promise<void> {
  const error = await work.then(() => undefined, (thrown) => thrown);
  assert.ok(error instanceof HandlerError && error.kind === kind, String(error));
}
