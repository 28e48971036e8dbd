import assert from "node:assert/strict";
import { run } from "../../src/platform/mod.ts";
import { ROOT } from "../../tools/repository.ts";
import { startFakeMistral } from "../fakes/mistral.ts";
import { fixtureAnswers } from "../fakes/mistral_answers.ts";
import { driverHere, filesBelow, podmanWorks, shellAgent, startHome, type SystemHome } from "./home.ts";
import { processes } from "./processes.ts";
import { codeOf, type Wire } from "./wire.ts";

type Vendor = Awaited<ReturnType<typeof startFakeMistral>>;
type Driver = Awaited<ReturnType<typeof driverHere>>;

/** A home with a vendor behind `ocr` and a connector `probe` that tells its secret wherever it can; both keep the canary. */
async function withCanary(
  driver: Driver,
  work: (home: SystemHome, canary: string, vendor: Vendor) => Promise<void>,
): Promise<void> {
  const canary = `canary-${crypto.randomUUID()}`;
  const answers = await fixtureAnswers(`${ROOT}/interfaces/ocr/v1/conformance`);
  const vendor = await startFakeMistral({ key: canary, answers });
  const outside = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${outside}/ca.pem`, vendor.caPem);
    await Deno.writeTextFile(`${outside}/key`, canary);
    const secret = `{ file = "${outside}/key" }`;
    await using home = await startHome({
      driver,
      config: `[egress]\ncaFile = "${outside}/ca.pem"\n` +
        `dial = { "api.mistral.ai:443" = "127.0.0.1:${vendor.port}" }\n`,
      files: {
        "bindings/vendor.toml": `connector = "ocr-mistral"\nsecrets = { api_key = ${secret} }\n`,
        "bindings/probe.toml": `connector = "probe"\nsecrets = { word = ${secret} }\n`,
        "agents/desk.toml":
          'project = "desk"\nharness = "external"\nservices = { ocr = "vendor", probe = "probe" }\n',
        "agents/clerk.toml": shellAgent(
          "handler-call ocr_extract --path bill.pdf; handler-call probe_act --act tell; env; cat /proc/*/environ",
          'services = { ocr = "vendor", probe = "probe" }',
        ),
      },
    });
    for (const name of ["invoice.pdf", "archive.zip"]) {
      await Deno.copyFile(`${ROOT}/interfaces/ocr/v1/conformance/${name}`, `${home.work}/${name}`);
    }
    await Deno.copyFile(`${home.work}/invoice.pdf`, `${home.work}/bill.pdf`);
    await work(home, canary, vendor);
  } finally {
    await vendor.close();
    await Deno.remove(outside, { recursive: true });
  }
}

/** Calls that go well and calls that fail in every way the vendor has; the code of each. */
async function callsOfAllKinds(ocr: Wire, vendor: Vendor): Promise<readonly (string | undefined)[]> {
  const read = async (path: string) => codeOf(await ocr.call("ocr_extract", { path }));
  const codes = [await read("bill.pdf"), await read("archive.zip")];
  for (const status of [401, 429, 500, 503]) {
    vendor.behave({ kind: "status", status });
    codes.push(await read("bill.pdf"));
  }
  vendor.behave({ kind: "malformed" });
  codes.push(await read("bill.pdf"));
  vendor.behave({ kind: "normal" });
  return codes;
}

/** Where the canary is, besides the memory and the environment of the connectors that were given it. */
async function searched(home: SystemHome, canary: string): Promise<readonly string[]> {
  const found: string[] = [];
  const look = (where: string, text: string) => {
    if (text.includes(canary)) found.push(where);
  };
  for (const path of await filesBelow(home.path)) {
    look(path, new TextDecoder("latin1").decode(await Deno.readFile(path)));
  }
  for (const { pid, argv, environ } of await processes()) {
    look(`argv of ${pid}: ${argv.slice(0, 60)}`, argv);
    if (!environ.includes("HANDLER_CONNECTOR_SOCKET=")) look(`environ of ${pid}: ${argv}`, environ);
  }
  look("call records", JSON.stringify(await home.client.calls({ limit: 1000 })));
  look("status", JSON.stringify(await home.client.status()));
  look("doctor", JSON.stringify(await home.client.doctor()));
  look("bindings", JSON.stringify(await home.client.bindings()));
  for (const binding of ["vendor", "probe"]) {
    look(`log of ${binding}`, await home.client.connectorLog(binding));
  }
  look("what the daemon printed", await home.output());
  return found;
}

async function podmanSays(): Promise<string> {
  const { stdout: ids } = await run(["podman", "ps", "-aq", "--no-trunc"], { inheritEnv: true });
  const containers = ids.split("\n").filter(Boolean);
  assert.ok(containers.length > 0);
  const { stdout } = await run(["podman", "inspect", ...containers], { inheritEnv: true });
  const logs = await Promise.all(containers.map((id) => run(["podman", "logs", id], { inheritEnv: true })));
  return stdout + logs.map((log) => log.stdout + log.stderr).join("");
}

async function theCanaryStays(driver: Driver): Promise<void> {
  await withCanary(driver, async (home, canary, vendor) => {
    using ocr = await home.wire("desk", "ocr");
    using probe = await home.wire("desk", "probe");
    const codes = await callsOfAllKinds(ocr, vendor);
    const wrong = Array(5).fill("unavailable");
    assert.deepEqual(codes, [undefined, "unsupported_format", ...wrong]);
    assert.equal(vendor.asked.length, 2, "the key was right");
    assert.equal(codeOf(await probe.call("probe_act", { act: "tell" })), "odd");
    const log = await home.run("clerk");
    assert.match(log, /INV-2024-0042/);
    for (const text of [log, ...ocr.frames, ...probe.frames]) assert.doesNotMatch(text, new RegExp(canary));
    assert.deepEqual(await searched(home, canary), []);
    if (driver === "podman") assert.doesNotMatch(await podmanSays(), new RegExp(canary));
    await home.stop("SIGKILL");
    await home.start();
    using ocrAgain = await home.wire("desk", "ocr");
    using probeAgain = await home.wire("desk", "probe");
    assert.equal(codeOf(await ocrAgain.call("ocr_extract", { path: "bill.pdf" })), undefined);
    assert.equal(codeOf(await probeAgain.call("probe_act", { act: "say" })), undefined);
    assert.deepEqual(await searched(home, canary), [], "after a kill and a start");
  });
}

Deno.test("a vendor's secret is nowhere but in its connector", async () => {
  await theCanaryStays(await driverHere());
});

const podman = await podmanWorks();

Deno.test({
  name: "a vendor's secret is nowhere but in its connector, under podman",
  ignore: !podman && Deno.env.get("CI") !== "true",
  fn: () => theCanaryStays("podman"),
});
