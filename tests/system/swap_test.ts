import assert from "node:assert/strict";
import { startFakeMistral } from "../fakes/mistral.ts";
import { fixtureAnswers } from "../fakes/mistral_answers.ts";
import { ROOT } from "../../tools/repository.ts";
import { externalAgent, startHome } from "./home.ts";
import { codeOf, openWire, type Wire } from "./wire.ts";

/** What a caller is served, whole frames: the handshake, then the listing. */
async function served(path: string): Promise<readonly string[]> {
  using wire = await openWire(path);
  await wire.ask("tools/list");
  return wire.frames.slice(0, 2);
}

async function listing(wire: Wire): Promise<string> {
  await wire.ask("tools/list", {}, "the same id each time");
  return wire.frames.at(-1)!;
}

Deno.test("another binding under an agent changes no byte of what it is served", async () => {
  await using home = await startHome({
    files: {
      "bindings/left.toml": 'connector = "probe"\nsettings = { label = "left" }\n',
      "bindings/right.toml": 'connector = "probe"\nsettings = { label = "right" }\n',
      "agents/desk.toml": externalAgent("left"),
    },
  });
  const { folder } = await home.client.externalServices("desk");
  const socket = `${folder}/probe.sock`;
  using wire = await openWire(socket);
  const before = [...await served(socket), await listing(wire)];
  const say = { act: "say", text: "the same words" };
  await wire.ask("tools/call", { name: "probe_act", arguments: say }, "call");
  const said = wire.frames.at(-1);
  const of = async () => (await wire.call("probe_act", { act: "process" })).result.structuredContent.text;
  assert.match(await of(), /^left /);

  await home.client.select("agent", "desk", "probe", ["right"]);
  assert.match(await of(), /^right /, "the connection that was open follows the choice");
  assert.deepEqual([...await served(socket), await listing(wire)], before);
  await wire.ask("tools/call", { name: "probe_act", arguments: say }, "call");
  assert.equal(wire.frames.at(-1), said);
});

Deno.test("from a local engine to a vendor: the same handshake, listing and contract", async () => {
  const key = crypto.randomUUID();
  const conformance = `${ROOT}/interfaces/ocr/v1/conformance`;
  const vendor = await startFakeMistral({ key, answers: await fixtureAnswers(conformance) });
  try {
    const caFile = await Deno.makeTempFile({ suffix: ".pem" });
    await Deno.writeTextFile(caFile, vendor.caPem);
    const keyFile = await Deno.makeTempFile();
    await Deno.writeTextFile(keyFile, key);
    await using home = await startHome({
      config: `[egress]\ncaFile = "${caFile}"\n` +
        `dial = { "api.mistral.ai:443" = "127.0.0.1:${vendor.port}" }\n`,
      files: {
        "bindings/here.toml": 'connector = "ocr-tesseract"\n',
        "bindings/there.toml": `connector = "ocr-mistral"\nsecrets = { api_key = { file = "${keyFile}" } }\n`,
        "agents/desk.toml": 'project = "desk"\nharness = "external"\nservices = { ocr = "here" }\n',
      },
    });
    await Deno.copyFile(`${conformance}/invoice.pdf`, `${home.work}/bill.pdf`);
    const { folder } = await home.client.externalServices("desk");
    const socket = `${folder}/ocr.sock`;
    const before = await served(socket);
    using wire = await openWire(socket);
    const read = () => wire.call("ocr_extract", { path: "bill.pdf" });
    const local = await read();
    assert.equal(codeOf(local), undefined);
    assert.equal(vendor.asked.length, 0);
    await home.client.select("agent", "desk", "ocr", ["there"]);
    const remote = await read();
    assert.equal(codeOf(remote), undefined);
    assert.equal(vendor.asked.length, 1);
    assert.deepEqual(await served(socket), before);
    for (const { result } of [local, remote]) {
      assert.deepEqual(Object.keys(result), ["content", "structuredContent"]);
      assert.match(result.structuredContent.pages[0].text, /INV-2024-0042/);
    }
    const [call] = await home.client.calls({ limit: 1 });
    assert.deepEqual(call?.hosts, ["api.mistral.ai:443"]);
    await Deno.remove(caFile);
    await Deno.remove(keyFile);
  } finally {
    await vendor.close();
  }
});
