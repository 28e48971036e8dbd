import assert from "node:assert/strict";
import { type Clock, silentLogger, systemClock } from "../../src/base/mod.ts";
import { createSandboxes } from "../../src/sandbox/mod.ts";
import { Services } from "../../src/services/mod.ts";
import { openStore } from "../../src/store/mod.ts";
import { ROOT } from "../../tools/repository.ts";
import { driverHere, layHome, type SystemHome } from "./home.ts";
import { codeOf, openWire } from "./wire.ts";

const DAY = 24 * 60 * 60 * 1000;

/** The machine's clock, but for a wall that a test can push. */
class PushedClock implements Clock {
  ahead = 0;
  now = () => systemClock.now() + this.ahead;
  monotonic = () => systemClock.monotonic();
  after = (ms: number, fire: () => void) => systemClock.after(ms, fire);
}

/** Services over a home as a daemon has them, with a clock of the test's own. */
async function openServices(home: SystemHome, clock: Clock) {
  const store = await openStore({ path: `${home.path}/state/clock.db`, clock, log: silentLogger });
  const sandboxes = createSandboxes({
    log: silentLogger,
    clock,
    runtimeFolder: `${home.path}/run`,
    stateFolder: `${home.path}/state`,
    instanceId: "clock",
    config: { sandbox: await driverHere(), image: undefined, egress: { caFile: undefined, dial: {} } },
    deno: Deno.execPath(),
    guestFolder: `${ROOT}/build/guest`,
    onConnect: () => () => {},
    onEgress: (record) => store.egress.insert(record),
  });
  const binding = {
    name: "probe",
    file: "probe.toml",
    uses: { kind: "connector", name: "probe" },
    description: "",
    secrets: {},
    settings: {},
    prices: {},
  } as const;
  const configs = new Map([["probe", binding]]);
  const services = await Services.load({
    clock,
    log: silentLogger,
    runtimeFolder: `${home.path}/run`,
    catalogFolders: {
      shippedInterfaces: `${home.path}/data/interfaces`,
      shippedConnectors: `${ROOT}/connectors`,
      userInterfaces: `${home.path}/none`,
      userConnectors: `${home.path}/data/connectors`,
      soundInterfaces: undefined,
    },
    connectorFolders: { guest: `${ROOT}/build/guest`, builds: `${ROOT}/build/connectors` },
    trust: { isTrusted: () => true },
    bindingConfigs: () => configs,
    startSandbox: (spec) => sandboxes.start(spec),
    resolveSecret: () => Promise.reject(new Error("there are no secrets here")),
    redact: (text) => text,
    hostsSince: () => [],
    idleMs: () => 60_000,
    record: (record) => store.calls.insert(record),
    connectorChanged: () => {},
    telemetry: undefined,
  });
  return {
    services,
    store,
    async [Symbol.asyncDispose]() {
      await services.close();
      await sandboxes.reap([]);
      store.close();
    },
  };
}

Deno.test("a wall clock that jumps by years leaves calls, their records and what is kept of them sane", async () => {
  await using home = await layHome();
  const clock = new PushedClock();
  await using opened = await openServices(home, clock);
  const { services, store } = opened;
  const caller = { id: "agent:a", session: "s", scope: home.work, requires: [], privacy: "any" } as const;
  const selection = { probe: ["probe"] };
  await services.open({ ...caller, selection: () => selection }, `${home.path}/run/a`);
  using wire = await openWire(`${home.path}/run/a/probe.sock`);
  const starts = new Set<string>();
  const process = async () => {
    const answer = await wire.call("probe_act", { act: "process" });
    assert.equal(codeOf(answer), undefined);
    starts.add(answer.result.structuredContent.text);
  };
  for (let turn = 0; turn < 20; turn++) await process();
  for (const years of [10, -20, 0, 30]) {
    clock.ahead = years * 365 * DAY;
    const growing = wire.call("probe_act", { act: "grow", count: 30 });
    clock.ahead -= DAY;
    assert.equal(codeOf(await growing), undefined, "a call is not ended by the wall");
    await process();
    assert.equal(await store.prune(30), 0, `nothing is old because the wall says so (${years} years)`);
  }
  assert.equal(starts.size, 1, "the connector is not stopped for idleness that the wall made up");
  const calls = store.calls.query({ limit: 1000 });
  assert.equal(calls.length, 28);
  assert.equal(new Set(calls.map(({ id }) => id)).size, 28);
  for (const { totalMs, queueMs, startMs, upstreamMs, validateMs } of calls) {
    for (const ms of [totalMs, queueMs, startMs, upstreamMs, validateMs]) {
      assert.ok(ms >= 0 && ms < 60_000, `${ms} ms`);
    }
  }
  const tools = calls.toReversed().slice(20).map(({ bytesIn }) => bytesIn);
  assert.deepEqual(
    tools,
    Array.from({ length: 8 }, (_, i) => tools[i % 2]),
    "newest first, by the order of their ends",
  );
});
