import assert from "node:assert/strict";
import { connectClient } from "../../src/client/mod.ts";
import { externalAgent, layHome, startHome } from "./home.ts";
import { until } from "./wait.ts";
import { codeOf } from "./wire.ts";

Deno.test("of two daemons started at once in one home one runs and the other says why it does not", async () => {
  await using home = await layHome();
  const daemons = [home.spawn("handlerd", [], "null"), home.spawn("handlerd", [], "null")];
  const outputs = daemons.map((daemon) => daemon.output());
  const first = await Promise.race(outputs.map(async (output, index) => ({ index, ...await output })));
  const said = new TextDecoder().decode(first.stderr);
  assert.equal(first.code, 6, said);
  assert.match(said, /handlerd: another handlerd \(process \d+\) already runs here/);
  const running = daemons[1 - first.index]!;
  assert.match(said, new RegExp(`process ${running.pid}\\)`));
  {
    using client = connectClient(`${home.path}/run/handlerd.sock`);
    const status = await until("the other one to answer", () => client.status());
    assert.equal(status.pid, running.pid);
  }
  running.kill("SIGTERM");
  assert.equal((await outputs[1 - first.index]!).code, 0);
});

Deno.test("a third one neither disturbs the daemon that runs nor its sockets", async () => {
  await using home = await startHome();
  using wire = await home.wire("desk");
  const { code } = await home.startInVain();
  assert.equal(code, 6);
  assert.equal(codeOf(await wire.call("probe_act", { act: "say" })), undefined);
  assert.equal((await home.client.status()).pid, home.pid);
});

Deno.test("a runtime folder that is too long for a socket stops the start, with the way out", async () => {
  await using home = await layHome();
  const long = `${home.path}/${"deep/".repeat(20)}run`;
  home.env["HANDLER_RUNTIME_DIR"] = long;
  const { code, output } = await home.startInVain();
  assert.equal(code, 1, output);
  assert.match(output, /has \d+ bytes, a unix socket takes at most 10[37]/);
  assert.match(output, /hint: set HANDLER_RUNTIME_DIR to a shorter folder/);
});

Deno.test("a runtime folder that only callers' sockets are too long for is refused at the start as well", async () => {
  await using home = await layHome();
  const short = `${home.path}/`;
  // room for handlerd.sock and for nothing longer
  const long = short + "r".repeat(107 - short.length - "/handlerd.sock".length);
  home.env["HANDLER_RUNTIME_DIR"] = long;
  const { code, output } = await home.startInVain();
  assert.equal(code, 1, output);
  assert.match(output, /HANDLER_RUNTIME_DIR/);
});

Deno.test("a folder with a thousand files is read whole, and a change of one is found among them", async () => {
  const files: Record<string, string> = {};
  for (let i = 0; i < 500; i++) {
    files[`bindings/b-${i}.toml`] = 'connector = "probe"\n';
    files[`agents/a-${i}.toml`] = externalAgent(`b-${i}`);
  }
  await using home = await startHome({ files });
  const { agents, bindings, problems } = await home.client.status();
  assert.deepEqual([agents, bindings, problems], [501, 501, []]);
  await home.write("agents/a-77.toml", externalAgent("b-3", "b-4"));
  assert.deepEqual((await home.client.reload()).changed, ["changed agent a-77"]);
  using wire = await home.wire("a-77");
  assert.equal(codeOf(await wire.call("probe_act", { act: "say" })), undefined);
  assert.equal((await home.client.calls({ limit: 1 }))[0]?.binding, "b-3");
});

Deno.test("a reload with a bad file keeps the set in force, and status shows the problem until it is mended", async () => {
  await using home = await startHome();
  using wire = await home.wire("desk");
  await home.write("bindings/second.toml", 'connector = "probe"\n');
  await home.write("agents/desk.toml", externalAgent("second").replace("harness =", "harnes ="));
  await assert.rejects(home.client.reload(), /agents\/desk\.toml/);
  const { problems, bindings } = await home.client.status();
  assert.equal(bindings, 1, "the good files beside the bad one do not count yet");
  const typing = problems.find(({ where }) => /agents\/desk\.toml:3:harnes$/.test(where));
  assert.match(typing?.hint ?? "", /harness/);
  assert.equal(codeOf(await wire.call("probe_act", { act: "say" })), undefined);
  assert.equal((await home.client.calls({ limit: 1 }))[0]?.binding, "probe");

  Deno.kill(home.pid, "SIGHUP");
  await until("the daemon to say so", async () => (await home.output()).includes("harnes"));
  await home.write("agents/desk.toml", externalAgent("second"));
  Deno.kill(home.pid, "SIGHUP");
  await until("the problem to be gone", async () => (await home.client.status()).problems.length === 0);
  assert.equal(codeOf(await wire.call("probe_act", { act: "say" })), undefined);
  assert.equal((await home.client.calls({ limit: 1 }))[0]?.binding, "second");
});
