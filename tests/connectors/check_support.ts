/**
 * Runs the conformance check of a connector as `handler connector check` does: the real router, the connector's bundle in
 * a real sandbox, its egress through the sandbox's sockets.
 * @module
 */
import { join } from "node:path";
import { silentLogger, systemClock } from "../../src/base/mod.ts";
import type { BindingConfig } from "../../src/config/mod.ts";
import { ensureFolder } from "../../src/platform/mod.ts";
import { createSandboxes, type DriverName, type EgressRecord, type Sandbox } from "../../src/sandbox/mod.ts";
import { type ConformanceReport, Services } from "../../src/services/mod.ts";
import type { CallRecord } from "../../src/store/mod.ts";
import { prepare } from "../../tools/prepare.ts";
import { ROOT } from "../../tools/repository.ts";

/** What is checked, and what stands in for the vendor. */
export interface CheckSetup {
  readonly driver: DriverName;
  readonly connector: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Slot to value. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Where `host:port` is really dialled. */
  readonly dial: Readonly<Record<string, string>>;
  /** PEM of an authority that the sandbox trusts; empty for none. */
  readonly caPem: string;
  /** A folder of connectors of the person's own; empty for none. */
  readonly userConnectors: string;
}

/** What came of it. */
export interface Checked {
  readonly reports: readonly ConformanceReport[];
  readonly records: readonly CallRecord[];
  readonly egress: readonly EgressRecord[];
  /** What the connectors printed. */
  readonly logs: readonly string[];
}

/** Prepares the bundles, starts everything in a fresh folder, checks, and takes all of it away. */
export async function checkConnector(setup: CheckSetup): Promise<Checked> {
  await prepare({ root: ROOT, say() {} });
  const home = await Deno.makeTempDir({ prefix: "hk-" });
  const egress: EgressRecord[] = [];
  const records: CallRecord[] = [];
  const started: Sandbox[] = [];
  const sandboxes = createSandboxes({
    log: silentLogger,
    clock: systemClock,
    runtimeFolder: join(home, "run"),
    stateFolder: join(home, "state"),
    instanceId: "check",
    config: {
      sandbox: setup.driver,
      image: undefined,
      egress: { caFile: await caFile(home, setup), dial: setup.dial },
    },
    deno: Deno.execPath(),
    guestFolder: join(ROOT, "build/guest"),
    onConnect: () => () => {},
    onEgress: (record) => egress.push(record),
  });
  await ensureFolder(join(home, "none"));
  const services = await Services.load({
    clock: systemClock,
    log: silentLogger,
    runtimeFolder: join(home, "run"),
    catalogFolders: {
      shippedInterfaces: join(ROOT, "interfaces"),
      shippedConnectors: join(ROOT, "connectors"),
      userInterfaces: join(home, "none"),
      userConnectors: setup.userConnectors || join(home, "none"),
      soundInterfaces: undefined,
    },
    connectorFolders: { guest: join(ROOT, "build/guest"), builds: join(ROOT, "build/connectors") },
    trust: { isTrusted: () => true },
    bindingConfigs: () => new Map([["bound", bindingOf(setup)]]),
    startSandbox: async (spec) => {
      const sandbox = await sandboxes.start(spec);
      started.push(sandbox);
      return sandbox;
    },
    resolveSecret: (_, slot) =>
      Promise.resolve({ value: setup.secrets[slot.replace("bound.", "")] ?? "", release() {} }),
    hostsSince: () => [],
    idleMs: () => 60_000,
    record: (record) => records.push(record),
    connectorChanged: () => {},
    telemetry: undefined,
    redact: (text) => text,
  });
  try {
    const reports = await services.checkConnector({
      connector: setup.connector,
      binding: "bound",
      onCase() {},
      signal: AbortSignal.timeout(120_000),
    });
    return { reports, records, egress, logs: started.map((sandbox) => sandbox.log()) };
  } finally {
    await services.close();
    await sandboxes.reap([]);
    await Deno.remove(home, { recursive: true });
  }
}

async function caFile(home: string, { caPem }: CheckSetup): Promise<string | undefined> {
  if (!caPem) return undefined;
  await Deno.writeTextFile(join(home, "ca.pem"), caPem);
  return join(home, "ca.pem");
}

function bindingOf({ connector, settings, secrets }: CheckSetup): BindingConfig {
  const references = Object.keys(secrets).map((slot) => [slot, { kind: "store", name: slot }] as const);
  return {
    name: "bound",
    file: "bindings/bound.toml",
    uses: { kind: "connector", name: connector },
    description: "for the check",
    secrets: Object.fromEntries(references),
    settings,
    prices: {},
  };
}

/** Every case that did not pass, in words, and then what the connector printed. */
export function failures({ reports, logs }: Checked): readonly string[] {
  const failed = reports.flatMap(({ cases, unmet }) => [
    ...cases.filter(({ passed }) => !passed).map(({ name, error, findings }) =>
      `${name}: ${error ?? ""} ${findings.map(({ at, message }) => `${at}: ${message}`).join("; ")}`
    ),
    ...unmet.map((code) => `${code} is not provoked`),
  ]);
  return failed.length > 0 ? [...failed, ...logs] : [];
}
