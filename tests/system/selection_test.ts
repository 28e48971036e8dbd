import assert from "node:assert/strict";
import { HandlerError } from "../../src/base/mod.ts";
import { externalAgent, layConnector, layHome, shellAgent, startHome } from "./home.ts";
import { codeOf } from "./wire.ts";

Deno.test("bindings are tried in order, the next on unavailable and on nothing else", async () => {
  await using home = await startHome({
    files: {
      "bindings/lost.toml": 'connector = "probe"\nsecrets = { word = { env = "NOT_SET_ANYWHERE" } }\n',
      "bindings/good.toml": 'connector = "probe"\nsettings = { label = "good" }\n',
      "agents/desk.toml": externalAgent("lost", "good", "probe"),
      "agents/first.toml": externalAgent("good", "lost"),
    },
  });
  using wire = await home.wire("desk");
  const { result } = await wire.call("probe_act", { act: "process" });
  assert.match(result.structuredContent.text, /^good /);
  assert.equal(codeOf(await wire.call("probe_act", { act: "refuse" })), "odd");
  const bound = (await home.client.calls({ limit: 10 })).map(({ binding, error }) => [binding, error]);
  assert.deepEqual(bound, [["good", "odd"], ["good", null]]);
  using first = await home.wire("first");
  assert.equal(codeOf(await first.call("probe_act", { act: "leave" })), "unavailable");
  const [last] = await home.client.calls({ limit: 1 });
  assert.match(String(last?.detail), /lost\.word/, "the last one's reason is told");
});

Deno.test("a secret that is not there stops the connector's start, and the slot is named", async () => {
  const references = {
    env: '{ env = "NOT_SET_ANYWHERE" }',
    file: '{ file = "/nowhere/at/all" }',
    store: '{ store = "never-set" }',
    command: '{ command = ["/bin/sh", "-c", "exit 3"] }',
    empty: '{ command = ["/bin/true"] }',
  };
  const files: Record<string, string> = {};
  for (const [name, reference] of Object.entries(references)) {
    files[`bindings/${name}.toml`] = `connector = "probe"\nsecrets = { word = ${reference} }\n`;
    files[`agents/${name}.toml`] = externalAgent(name);
  }
  await using home = await startHome({ files });
  for (const name of Object.keys(references)) {
    using wire = await home.wire(name);
    const answer = await wire.call("probe_act", { act: "say" });
    assert.equal(codeOf(answer), "unavailable");
    assert.doesNotMatch(JSON.stringify(answer), /NOT_SET|nowhere|never-set|exit/, "the agent learns nothing");
    const [call] = await home.client.calls({ binding: "", limit: 1 });
    assert.match(String(call?.detail), new RegExp(`${name}\\.word`), String(call?.detail));
  }
});

Deno.test("a required slot that is unfilled is found before any start", async () => {
  await using home = await startHome({
    files: {
      "bindings/vendor.toml": 'connector = "ocr-mistral"\n',
      "agents/clerk.toml": shellAgent("true", 'services = { ocr = "vendor" }'),
    },
  });
  await assert.rejects(home.client.run("clerk", null), /ocr-mistral.*requires the secret slot api_key/);
  assert.equal((await home.client.sessions(true)).filter(({ agent }) => agent === "clerk").length, 0);
});

Deno.test("an agent does not start where its project requires an interface that has no binding", async () => {
  await using home = await layHome({ files: { "agents/clerk.toml": shellAgent("true", "services = {}") } });
  await home.write("projects/desk.toml", `path = "${home.work}"\nrequires = ["probe/v1", "ocr/v1"]\n`);
  await home.start();
  await home.trust("probe/v1", "probe");
  const error = await home.client.run("clerk", null).then(() => undefined, (thrown) => thrown);
  assert.ok(error instanceof HandlerError);
  const texts = [error.message, ...(error as { problems?: readonly Error[] }).problems ?? []].join("\n");
  assert.match(texts, /probe\/v1/);
  assert.match(texts, /ocr\/v1/);
});

Deno.test("privacy local: a binding whose connector reaches out is refused, a local one serves", async () => {
  await using home = await layHome({
    files: {
      "bindings/far.toml": 'connector = "far"\n',
      "agents/desk.toml": externalAgent("far", "probe"),
      "agents/only-far.toml": externalAgent("far"),
    },
  });
  await layConnector(home.path, "probe", "far", (text) => `${text}\negress = ["example.com:443"]\n`);
  await home.write("projects/desk.toml", `path = "${home.work}"\nprivacy = "local"\n`);
  await home.start();
  await home.trust("probe/v1", "probe", "far");
  await assert.rejects(home.wire("only-far"), /privacy is "local", and every binding chosen has egress: far/);
  using wire = await home.wire("desk");
  assert.equal(codeOf(await wire.call("probe_act", { act: "say" })), undefined);
  assert.equal((await home.client.calls({ limit: 1 }))[0]?.binding, "probe");
  await assert.rejects(home.client.select("agent", "desk", "probe", ["far"]), /privacy is "local"/);
  // a file edited by hand passes no check before the next call
  await home.write("agents/desk.toml", externalAgent("far"));
  await home.client.reload();
  assert.equal(codeOf(await wire.call("probe_act", { act: "say" })), "unavailable");
  assert.match(
    String((await home.client.calls({ limit: 1 }))[0]?.detail),
    /privacy is local and binding far/,
  );
});
