import assert from "node:assert/strict";
import { layHome, shellAgent, startHome, type SystemHome } from "./home.ts";
import { connectorsOf, processes, runs } from "./processes.ts";
import { until } from "./wait.ts";
import { codeOf } from "./wire.ts";

/** A client in an agent's sandbox: sends what its input says through `handler-service`, prints every frame that comes. */
const CLIENT = `
const service = new Deno.Command("handler-service", { args: ["probe"], stdin: "piped", stdout: "piped" }).spawn();
const writer = service.stdin.getWriter();
const send = (message) => writer.write(new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n"));
(async () => {
  for await (const text of service.stdout.pipeThrough(new TextDecoderStream())) await Deno.stdout.write(new TextEncoder().encode(text));
})();
const client = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a", version: "1" } };
await send({ id: "hello", method: "initialize", params: client });
await send({ method: "notifications/initialized" });
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  for (const line of text.split("\\n").filter(Boolean)) {
    const [act, word] = line.split(" ");
    await send({ id: word, method: "tools/call", params: { name: "probe_act", arguments: { act, text: word } } });
  }
}
`;

async function logUntil(home: SystemHome, id: string, wanted: RegExp): Promise<string> {
  return await until(`${wanted} in the session's log`, async () => {
    let log = "";
    const decoder = new TextDecoder();
    for await (const bytes of home.client.sessionLog(id, 0, false, AbortSignal.timeout(5_000))) {
      log += decoder.decode(bytes, { stream: true });
    }
    return wanted.test(log) ? log : undefined;
  });
}

/** Writes a line to a session, once its program has opened its input. */
async function input(home: SystemHome, id: string, line: string): Promise<void> {
  await until("the session to take input", async () => {
    await home.client.sessionInput(id, new TextEncoder().encode(`${line}\n`));
    return true;
  });
}

/** Everything of a home that is not there before a first connector and must not be there after a last one. */
async function leftovers(home: SystemHome): Promise<readonly string[]> {
  const found: string[] = [];
  const look = (path: string, kind: string) => {
    try {
      for (const { name } of Deno.readDirSync(path)) {
        if (kind !== "note of" || name.endsWith(".json")) found.push(`${kind} ${name}`);
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  };
  look(`${home.path}/run/c`, "run folder");
  look(`${home.path}/run/k`, "check folder");
  look(`${home.path}/run/box`, "box");
  look(`${home.path}/state/sandboxes`, "note of");
  for (const pid of await connectorsOf(home.path)) found.push(`process ${pid}`);
  return found;
}

/** The control groups of a home's sandboxes, by their notes. */
async function groupsOf(home: SystemHome): Promise<readonly string[]> {
  const groups: string[] = [];
  for (const { name } of Deno.readDirSync(`${home.path}/state/sandboxes`)) {
    if (!name.endsWith(".json")) continue;
    const note = JSON.parse(await Deno.readTextFile(`${home.path}/state/sandboxes/${name}`));
    groups.push(...note.groups ?? []);
  }
  return groups;
}

Deno.test("a hundred calls leave one connector, and an orderly stop leaves none", async () => {
  await using home = await startHome();
  using wire = await home.wire("desk");
  const starts = new Set<string>();
  for (let turn = 0; turn < 20; turn++) {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => wire.call("probe_act", { act: "process" })),
    );
    for (const { result } of answers) starts.add(result.structuredContent.text);
  }
  assert.equal(starts.size, 1);
  assert.equal((await connectorsOf(home.path)).length, 1);
  assert.equal((await home.client.status()).running.length, 1);
  const calls = await home.client.calls({ limit: 1000 });
  assert.equal(calls.length, 100);
  assert.equal(calls.filter(({ startMs }) => Number(startMs) > 0).length, 5, "only the first five waited");
  await home.stop("SIGTERM");
  assert.deepEqual(await leftovers(home), []);
});

Deno.test("kill -9 and a start: nothing is left over, and a session goes on with its log and services", async () => {
  await using home = await layHome({
    files: { "agents/clerk.toml": shellAgent("exec deno run -A client.js") },
  });
  await Deno.writeTextFile(`${home.work}/client.js`, CLIENT);
  await home.start();
  await home.trust("probe/v1", "probe");
  const { id } = await home.client.run("clerk", null);
  await input(home, id, "say one");
  await logUntil(home, id, /"id":"one".*"text":"one"/);
  await input(home, id, "hold two");
  await until("the call to reach the connector", async () => {
    return (await home.client.connectorLog("probe")).includes("holds two");
  });
  const connectors = await connectorsOf(home.path);
  assert.equal(connectors.length, 1);
  const groups = await groupsOf(home);
  await Deno.writeTextFile(`${home.path}/run/c/1/files/in/staged`, "a file of a call that never ended");
  await home.stop("SIGKILL");
  await home.start();

  await until("the connector of the dead daemon to be gone", () => !connectors.some(runs));
  const left = (await leftovers(home)).filter((one) => !one.includes("agent-"));
  assert.deepEqual(left, []);
  const still = new Set(await groupsOf(home));
  for (const group of groups.filter((path) => !still.has(path))) {
    await assert.rejects(Deno.stat(group), Deno.errors.NotFound);
  }
  const [session] = await home.client.sessions(false);
  assert.deepEqual([session?.id, session?.state], [id, "running"]);
  await input(home, id, "say three");
  const log = await logUntil(home, id, /"id":"three"/);
  const frames = log.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(frames.map((frame) => frame.id), ["hello", "one", "two", "three"]);
  assert.match(frames[2].error.message, /handlerd went away before it answered/);
  assert.equal(codeOf(frames[3]), undefined);
  assert.equal(frames[3].result.structuredContent.text, "three");
  assert.equal((await home.client.sessionStop(id)).state, "stopped");
  await home.stop("SIGTERM");
  assert.deepEqual(await leftovers(home), []);
  assert.deepEqual((await processes()).filter(({ argv }) => argv.includes(home.path)), []);
});

Deno.test("an orderly stop lets a session go on too; calls under way hear that the daemon went", async () => {
  await using home = await layHome({
    files: { "agents/clerk.toml": shellAgent("exec deno run -A client.js") },
  });
  await Deno.writeTextFile(`${home.work}/client.js`, CLIENT);
  await home.start();
  await home.trust("probe/v1", "probe");
  const { id } = await home.client.run("clerk", null);
  await input(home, id, "hold one");
  await until("the call to reach the connector", async () => {
    return (await home.client.connectorLog("probe")).includes("holds one");
  });
  await home.stop("SIGTERM");
  await home.start();
  await input(home, id, "say two");
  const log = await logUntil(home, id, /"id":"two"/);
  assert.match(log, /"id":"one","error":/);
  assert.equal((await home.client.session(id)).state, "running");
});

Deno.test("a restart gives a session no new calls, a client outside has them for each connection", async () => {
  await using home = await layHome({
    files: { "agents/clerk.toml": shellAgent("exec deno run -A client.js") },
  });
  const limits = `${home.path}/data/interfaces/probe/v1/interface.toml`;
  await Deno.writeTextFile(
    limits,
    (await Deno.readTextFile(limits)).replace("[limits]", "[limits]\nmaxCallsPerRun = 2"),
  );
  await Deno.writeTextFile(`${home.work}/client.js`, CLIENT);
  await home.start();
  await home.trust("probe/v1", "probe");
  const { id } = await home.client.run("clerk", null);
  await input(home, id, "say one");
  await logUntil(home, id, /"id":"one".*"text":"one"/);
  await home.stop("SIGTERM");
  await home.start();
  await input(home, id, "say two");
  await logUntil(home, id, /"id":"two".*"text":"two"/);
  await input(home, id, "say three");
  const log = await logUntil(home, id, /"id":"three"/);
  assert.match(log, /"id":"three".*maxCallsPerRun: a run may make 2 calls/);
  for (let connection = 0; connection < 2; connection++) {
    using wire = await home.wire("desk");
    const codes: (string | undefined)[] = [];
    for (let i = 0; i < 3; i++) codes.push(codeOf(await wire.call("probe_act", { act: "say", text: "a" })));
    assert.deepEqual(codes, [undefined, undefined, "limit"]);
  }
});
