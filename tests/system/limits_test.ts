import assert from "node:assert/strict";
import { externalAgent, startHome, type SystemHome } from "./home.ts";
import { connectorsOf } from "./processes.ts";
import { until } from "./wait.ts";
import { startFakeMistral } from "../fakes/mistral.ts";
import { ROOT } from "../../tools/repository.ts";

Deno.test("fifty first calls of fifty callers make one start and get fifty answers", async () => {
  const names = Array.from({ length: 50 }, (_, i) => `caller-${i}`);
  const files = Object.fromEntries(names.map((name) => [`agents/${name}.toml`, externalAgent("probe")]));
  await using home = await startHome({ files });
  const wires = await Promise.all(names.map((name) => home.wire(name)));
  const answers = await Promise.all(wires.map((wire) => wire.call("probe_act", { act: "process" })));
  assert.equal(new Set(answers.map(({ result }) => result.structuredContent.text)).size, 1);
  assert.equal((await connectorsOf(home.path)).length, 1);
  const calls = await home.client.calls({ limit: 100 });
  assert.deepEqual(new Set(calls.map(({ caller }) => caller)), new Set(names.map((name) => `agent:${name}`)));
  assert.deepEqual([...new Set(calls.map(({ error }) => error))], [null]);
  wires.forEach((wire) => wire[Symbol.dispose]());
});

Deno.test("progress comes under the caller's own token, in order, all of it before the result and none after", async () => {
  await using home = await startHome({ files: { "agents/other.toml": externalAgent("probe") } });
  const wires = [await home.wire("desk"), await home.wire("other")];
  const ask = (count: number) => ({ name: "probe_act", arguments: { act: "grow", count } });
  await Promise.all(wires.map((wire, i) => {
    return wire.ask("tools/call", { ...ask(20 + i), _meta: { progressToken: "same" } }, "same");
  }));
  for (const [i, wire] of wires.entries()) {
    const after = wire.frames.slice(1).map((frame) => JSON.parse(frame));
    const [result, ...progress] = after.toReversed();
    assert.equal(result.result.structuredContent.text, `grew ${20 + i}`);
    const notes = progress.toReversed().map(({ params }) => params);
    assert.deepEqual(
      notes,
      Array.from({ length: 20 + i }, (_, step) => {
        return { progressToken: "same", progress: step + 1, total: 20 + i };
      }),
    );
    wire[Symbol.dispose]();
  }
});

/** A home whose agent `desk` reads through a vendor that takes its time. */
async function withSlowVendor(
  work: (home: SystemHome, vendor: Awaited<ReturnType<typeof startFakeMistral>>) => Promise<void>,
): Promise<void> {
  const key = crypto.randomUUID();
  const vendor = await startFakeMistral({ key, answers: new Map() });
  vendor.behave({ kind: "slow", ms: 600_000 });
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/ca.pem`, vendor.caPem);
    await Deno.writeTextFile(`${folder}/key`, key);
    await using home = await startHome({
      config: `[egress]\ncaFile = "${folder}/ca.pem"\n` +
        `dial = { "api.mistral.ai:443" = "127.0.0.1:${vendor.port}" }\n`,
      files: {
        "bindings/vendor.toml":
          `connector = "ocr-mistral"\nsecrets = { api_key = { file = "${folder}/key" } }\n`,
        "agents/desk.toml": 'project = "desk"\nharness = "external"\nservices = { ocr = "vendor" }\n',
      },
    });
    await Deno.copyFile(`${ROOT}/interfaces/ocr/v1/conformance/invoice.pdf`, `${home.work}/a.pdf`);
    await work(home, vendor);
  } finally {
    await vendor.close();
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a cancelled call ends the vendor's request, and nothing is sent for it any more", async () => {
  await withSlowVendor(async (home, vendor) => {
    using wire = await home.wire("desk", "ocr");
    void wire.ask("tools/call", { name: "ocr_extract", arguments: { path: "a.pdf" } }, 0).catch(() => {});
    await until("the vendor to be asked", () => vendor.requests.length === 1);
    await wire.tell("notifications/cancelled", { requestId: 0 });
    await until("the vendor to see the end", () => vendor.requests[0]?.aborted);
    await wire.ask("ping");
    assert.deepEqual(wire.frames.filter((frame) => frame.includes('"id":0,')), []);
    const call = await until("the record", async () => (await home.client.calls({ limit: 1 }))[0]);
    assert.deepEqual([call.error, call.hosts], ["cancelled", ["api.mistral.ai:443"]]);
    const running = (await home.client.status()).running;
    assert.deepEqual(running.map(({ inFlight }) => inFlight), [0]);
  });
});

Deno.test("a caller killed in the middle of a call ends the vendor's request too", async () => {
  await withSlowVendor(async (home, vendor) => {
    const { folder } = await home.client.externalServices("desk");
    home.env["HANDLER_SERVICES"] = folder;
    const caller = home.spawn("handler-call", ["ocr_extract", "--path", "a.pdf"], "null");
    await until("the vendor to be asked", () => vendor.requests.length === 1);
    caller.kill("SIGKILL");
    await caller.output();
    await until("the vendor to see the end", () => vendor.requests[0]?.aborted);
    const call = await until("the record", async () => (await home.client.calls({ limit: 1 }))[0]);
    assert.equal(call.error, "cancelled");
  });
});

Deno.test("Ctrl-C at handler-call ends the vendor's request and says so", async () => {
  await withSlowVendor(async (home, vendor) => {
    const { folder } = await home.client.externalServices("desk");
    home.env["HANDLER_SERVICES"] = folder;
    const caller = home.spawn("handler-call", ["ocr_extract", "--path", "a.pdf"], "null");
    await until("the vendor to be asked", () => vendor.requests.length === 1);
    caller.kill("SIGINT");
    const { code, stderr } = await caller.output();
    assert.equal(code, 1);
    assert.match(new TextDecoder().decode(stderr), /ocr_extract: cancelled/);
    await until("the vendor to see the end", () => vendor.requests[0]?.aborted);
  });
});
