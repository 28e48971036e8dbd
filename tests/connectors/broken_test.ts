/**
 * The conformance check catches connectors that break their contract, each in one way; the sound one beside them passes,
 * so what is caught is the fault. All run through the real router, in sandboxes of the `deno` driver.
 */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { newId, silentLogger, systemClock } from "../../src/base/mod.ts";
import type { BindingConfig } from "../../src/config/mod.ts";
import { fromFileUrl, shippedFolder } from "../../src/platform/mod.ts";
import { createSandboxes } from "../../src/sandbox/mod.ts";
import { type ConformanceReport, interfaceStub, loadInterfaces, Services } from "../../src/services/mod.ts";

const BROKEN = fromFileUrl(new URL("./broken", import.meta.url));
const INTERFACES = fromFileUrl(new URL("../fixtures/interfaces", import.meta.url));
const GUEST = shippedFolder("build/guest");

/** Which cases must fail, with a part of their first finding. */
const CAUGHT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "wrong-shape": {
    "finds the words": "failed with unavailable",
    "no words in an empty file": "failed with unavailable",
    "writes a list": "failed with unavailable",
    "refuses what is no text": "it failed with unavailable",
  },
  "extra-field": {
    "finds the words": "failed with unavailable",
    "no words in an empty file": "failed with unavailable",
    "writes a list": "failed with unavailable",
    "refuses what is no text": "it failed with unavailable",
  },
  "leaks-path": {
    "writes a list": "failed with unavailable",
    "refuses what is no text":
      "the router blames the connector: the connector's message was withheld: it holds a path",
  },
  "wrong-code": {
    "finds the words": "failed with unavailable",
    "no words in an empty file": "failed with unavailable",
    "writes a list": "failed with unavailable",
    "refuses what is no text": "it failed with unavailable",
  },
  "slow": {
    "finds the words": "failed with limit",
    "no words in an empty file": "failed with limit",
    "writes a list": "failed with limit",
    "refuses what is no text": "it failed with limit",
  },
  "dies": {
    "finds the words": "failed with unavailable",
    "no words in an empty file": "failed with unavailable",
    "writes a list": "failed with unavailable",
    "refuses what is no text": "it failed with unavailable",
  },
  "no-file": {
    "no words in an empty file": "at most 0 items are asked for, found 3",
    "writes a list": "output: output not_found",
    "refuses what is no text": "it succeeded",
  },
  "wrong-answer": {
    "finds the words": "at least 3 items are asked for, found 1",
    "no words in an empty file": "at most 0 items are asked for, found 1",
    "writes a list": "at least 13 bytes are asked for, found 6",
    "refuses what is no text": "it succeeded",
  },
  "chatty": {
    "finds the words": "failed with unavailable",
    "no words in an empty file": "failed with unavailable",
    "writes a list": "failed with unavailable",
    "refuses what is no text": "it failed with unavailable",
  },
  "text-alone": {
    "finds the words": "failed with unavailable",
    "no words in an empty file": "failed with unavailable",
    "writes a list": "failed with unavailable",
    "refuses what is no text": "it failed with unavailable",
  },
};

/** The connectors as a person's own: each with the kit beside it. */
async function layConnectors(folder: string): Promise<void> {
  const kit = await Deno.readTextFile(`${GUEST}/kit.js`);
  for (const name of ["sound", ...Object.keys(CAUGHT)]) {
    await Deno.mkdir(`${folder}/${name}/kit`, { recursive: true });
    await Deno.writeTextFile(`${folder}/${name}/kit/mod.js`, kit);
    const imports = { "@handler/connector": "./kit/mod.js" };
    await Deno.writeTextFile(`${folder}/${name}/deno.json`, JSON.stringify({ imports }));
    for (const file of ["connector.toml", "main.ts"]) {
      await Deno.copyFile(`${BROKEN}/${name}/${file}`, `${folder}/${name}/${file}`);
    }
  }
}

/** A stub of `words/v1` as it is written for a person, with the kit that ships. */
async function layStub(folder: string): Promise<void> {
  const { interfaces } = await loadInterfaces({ shippedFolder: INTERFACES, userFolder: undefined });
  const kit = await Deno.readTextFile(`${GUEST}/kit.js`);
  for (const [path, text] of Object.entries(interfaceStub(interfaces.get("words/v1")!, "fresh", kit))) {
    await Deno.mkdir(dirname(`${folder}/fresh/${path}`), { recursive: true });
    await Deno.writeTextFile(`${folder}/fresh/${path}`, text);
  }
}

function bindingOf(name: string): BindingConfig {
  return {
    name,
    file: `bindings/${name}.toml`,
    uses: { kind: "connector", name },
    description: "",
    secrets: {},
    settings: {},
    prices: {},
  };
}

async function openServices(folder: string): Promise<Services> {
  const ports = { clock: systemClock, log: silentLogger, runtimeFolder: `${folder}/r` };
  await Deno.mkdir(ports.runtimeFolder);
  await Deno.mkdir(`${folder}/none`);
  await layConnectors(`${folder}/c`);
  await layStub(`${folder}/c`);
  const sandboxes = createSandboxes({
    ...ports,
    stateFolder: `${folder}/s`,
    instanceId: newId(),
    config: { sandbox: "deno", image: undefined, egress: { caFile: undefined, dial: {} } },
    deno: Deno.execPath(),
    guestFolder: GUEST,
    onConnect: () => () => {},
    onEgress: () => {},
  });
  const names = ["sound", "fresh", ...Object.keys(CAUGHT)];
  return await Services.load({
    ...ports,
    catalogFolders: {
      shippedInterfaces: INTERFACES,
      shippedConnectors: `${folder}/none`,
      userInterfaces: `${folder}/none`,
      userConnectors: `${folder}/c`,
      soundInterfaces: undefined,
    },
    connectorFolders: { guest: GUEST, builds: `${folder}/none` },
    trust: { isTrusted: () => true },
    bindingConfigs: () => new Map(names.map((name) => [name, bindingOf(name)])),
    startSandbox: (spec) => sandboxes.start(spec),
    resolveSecret: () => Promise.reject(new Error("there are no secrets here")),
    hostsSince: () => [],
    idleMs: () => 60_000,
    record: () => {},
    connectorChanged: () => {},
    telemetry: undefined,
    redact: (text) => text,
  });
}

async function check(services: Services, name: string): Promise<ConformanceReport> {
  const reports = await services.checkConnector({
    connector: name,
    binding: name,
    onCase: () => {},
    signal: new AbortController().signal,
  });
  assert.equal(reports.length, 1);
  return reports[0]!;
}

Deno.test("the check passes the sound connector and catches every broken one", async (t) => {
  const folder = await Deno.makeTempDir({ prefix: "hb-" });
  const services = await openServices(folder);
  assert.deepEqual(services.catalog.problems.map(String), []);
  try {
    await t.step("sound", async () => {
      const report = await check(services, "sound");
      assert.deepEqual(report.cases.filter(({ passed }) => !passed), []);
      assert.equal(report.passed, true);
    });
    await t.step("a stub that nobody has written yet", async () => {
      const { cases } = await check(services, "fresh");
      const asked = cases.filter(({ error }) => error !== "too_large");
      assert.deepEqual(asked.map(({ error }) => error), Array(4).fill("unavailable"));
      assert.ok(asked.every(({ findings }) => findings.length === 1), "the router blames the stub");
    });
    for (const [name, wanted] of Object.entries(CAUGHT)) {
      await t.step(name, async () => {
        const report = await check(services, name);
        assert.equal(report.passed, false);
        const failed = report.cases.filter(({ passed }) => !passed);
        assert.deepEqual(
          failed.map((one) => one.name).filter((one) => one !== "refuses a large file"),
          Object.keys(wanted),
        );
        for (const { name, findings } of failed) {
          const texts = findings.map(({ message }) => message).join("\n");
          assert.ok(texts.includes(wanted[name] ?? ""), `${name}: ${texts}`);
        }
      });
    }
  } finally {
    await services.close();
    await Deno.remove(folder, { recursive: true });
  }
});
