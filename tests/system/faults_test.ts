import assert from "node:assert/strict";
import { externalAgent, layConnector, layHome, startHome, type SystemHome } from "./home.ts";
import { connectorsOf, insideConnectors, runs } from "./processes.ts";
import { until } from "./wait.ts";
import { codeOf } from "./wire.ts";

async function connectorHolds(home: SystemHome, word: string, binding = "probe"): Promise<void> {
  await until(`the connector to hold ${word}`, async () => {
    return (await home.client.connectorLog(binding)).includes(`holds ${word}`);
  });
}

Deno.test("a connector killed in the middle of calls fails those alone, and comes back at the next call", async () => {
  await using home = await startHome({
    files: {
      "bindings/other.toml": 'connector = "probe"\nsettings = { label = "other" }\n',
      "agents/neighbour.toml": externalAgent("other"),
    },
  });
  using wire = await home.wire("desk");
  using neighbour = await home.wire("neighbour");
  const elsewhere = neighbour.call("probe_act", { act: "grow", count: 400 });
  const held = wire.call("probe_act", { act: "hold", text: "one" });
  await connectorHolds(home, "one");
  const [first] = (await connectorsOf(home.path)).filter((pid) => {
    return !Deno.readTextFileSync(`/proc/${pid}/environ`).includes("PROBE_LABEL=other");
  });
  Deno.kill(first!, "SIGKILL");
  const answer = await held;
  assert.equal(codeOf(answer), "unavailable");
  assert.doesNotMatch(answer.result.content[0].text, /signal|SIGKILL|137|\/run|socket/i);
  assert.equal(codeOf(await wire.call("probe_act", { act: "say", text: "again" })), undefined);
  assert.equal((await elsewhere).result.structuredContent.text, "grew 400");
  const [, failed] = await home.client.calls({ binding: "probe", limit: 5 });
  assert.equal(failed?.error, "unavailable");
  assert.match(String(failed?.detail), /connector|connection/);
});

Deno.test("a connector that leaves at each call is started again, then waited for", async () => {
  await using home = await startHome();
  using wire = await home.wire("desk");
  const codes: (string | undefined)[] = [];
  for (let turn = 0; turn < 4; turn++) {
    codes.push(codeOf(await wire.call("probe_act", { act: "leave" })));
    await until("the connector to be gone", async () => (await connectorsOf(home.path)).length === 0);
  }
  assert.deepEqual(codes, Array(4).fill("unavailable"));
  const [running] = (await home.client.status()).running;
  assert.equal(running?.state, "backing-off");
  assert.match(running?.lastFailure ?? "", /ended with 7/);
  await home.client.connectorRestart("probe");
  assert.equal(codeOf(await wire.call("probe_act", { act: "say", text: "well" })), undefined);
});

Deno.test("a connector that does not listen to SIGTERM is ended all the same, by a restart and by a stop", async () => {
  await using home = await startHome({
    files: { "bindings/probe.toml": 'connector = "probe"\nsettings = { ends = "never" }\n' },
  });
  using wire = await home.wire("desk");
  const process = () => wire.call("probe_act", { act: "process" });
  const before = await process();
  const [deaf] = await connectorsOf(home.path);
  await home.client.connectorRestart("probe");
  assert.ok(!runs(deaf!));
  assert.notEqual((await process()).result.structuredContent.text, before.result.structuredContent.text);
  const [second] = await connectorsOf(home.path);
  await home.stop("SIGTERM");
  assert.ok(!runs(second!));
});

Deno.test("a fork bomb in a connector harms neither the daemon nor a neighbour, and ends with it", async () => {
  await using home = await layHome({
    files: {
      "bindings/forks.toml": 'connector = "forks"\n',
      "agents/bomber.toml": externalAgent("forks"),
    },
  });
  await layConnector(home.path, "forks");
  await home.start();
  await home.trust("probe/v1", "probe", "forks");
  using wire = await home.wire("bomber");
  using neighbour = await home.wire("desk");
  assert.equal((await wire.call("probe_act", { act: "say" })).result.structuredContent.text, "bred");
  await until("the bomb to have gone off", async () => (await insideConnectors(home.path)).length > 20);
  for (let turn = 0; turn < 20; turn++) {
    assert.equal(codeOf(await neighbour.call("probe_act", { act: "say", text: "still here" })), undefined);
  }
  const bred = await insideConnectors(home.path);
  assert.ok(bred.length <= 120, `${bred.length} processes are inside`);
  await home.client.connectorRestart("forks");
  assert.deepEqual((await home.client.status()).running.map(({ binding }) => binding), ["probe"]);
  const neighbours = new Set(await connectorsOf(home.path));
  await until("all of them to be gone", async () => {
    const left = await insideConnectors(home.path);
    return left.length < 5 && [...neighbours].every((pid) => left.includes(pid));
  });
  assert.equal(codeOf(await neighbour.call("probe_act", { act: "say", text: "well" })), undefined);
});
