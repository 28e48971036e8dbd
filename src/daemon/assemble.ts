import { type Agents, createAgents, createGuestBin } from "../agents/mod.ts";
import { type Clock, newId, systemClock } from "../base/mod.ts";
import {
  type Configuration,
  ConfigurationEditor,
  ConfigurationHolder,
  loadConfiguration,
  type MainConfig,
} from "../config/mod.ts";
import { findDeno, type Folders, homeFolder, isCompiled, ownProgram, programMark } from "../platform/mod.ts";
import { createSandboxes, type DriverName, INSIDE, type Sandboxes } from "../sandbox/mod.ts";
import { createSecrets, type Secrets } from "../secrets/mod.ts";
import { type Connector, openTelemetry, Services } from "../services/mod.ts";
import { openStore, type Store } from "../store/mod.ts";
import { askedForDeno, type Confined } from "./asked_for_deno.ts";
import { Changes } from "./changes.ts";
import { Contacted } from "./contacted.ts";
import { homeFiles } from "./home.ts";
import type { DaemonLog } from "./log.ts";
import { loadApps, type MiniApps } from "./mini_apps.ts";
import { findShipped, type Shipped } from "./shipped.ts";
import { loadThreads, type ThreadParts } from "./threads.ts";
import { Trials } from "./trials.ts";
import { watchedStore } from "./watched_store.ts";

/** Everything that a running daemon holds; the operations work on it. */
export interface Parts extends AsyncDisposable, MiniApps, ThreadParts {
  readonly folders: Folders;
  readonly clock: Clock;
  /** Another for each start. */
  readonly instance: string;
  readonly startedAt: number;
  readonly log: DaemonLog["log"];
  readonly shipped: Shipped;
  /** The Deno that runs inside sandboxes; undefined where the machine has none. */
  readonly deno: string | undefined;
  readonly configuration: ConfigurationHolder;
  /** What was in force at the start: some of it stays so. */
  readonly startedWith: MainConfig;
  /** Tells who watches what is other than it was. */
  readonly changes: Changes;
  readonly trials: Trials;
  readonly editor: ConfigurationEditor;
  readonly store: Store;
  readonly secrets: Secrets;
  readonly sandboxes: Sandboxes;
  /** Which hosts sandboxes are connected to, and were a moment ago. */
  readonly contacted: Contacted;
  /** The driver that the configuration or the command line names. */
  readonly askedSandbox: "auto" | DriverName;
  readonly services: Services;
  readonly agents: Agents;
}

/** What of the configuration a command line may set for one run. */
export interface Overrides {
  readonly sandbox: "auto" | "podman" | "bubblewrap" | "deno" | undefined;
}

/**
 * The composition root: builds every part from the ones below it. Nothing listens and nothing is reaped yet.
 */
export async function assemble(folders: Folders, daemonLog: DaemonLog, overrides: Overrides): Promise<Parts> {
  const { log } = daemonLog;
  const clock = systemClock;
  const files = homeFiles(folders);
  const load = async () => overridden(await loadConfiguration(folders.config), overrides);
  const configuration = new ConfigurationHolder({ initial: await load(), load, log });
  const { main } = configuration.current();
  const changes = new Changes(clock);
  const instance = newId();
  const store = watchedStore(await openStore({ path: files.store, clock, log }), changes);
  const secrets = createSecrets({ dataFolder: folders.data, clock, log, keyring: "auto" });
  daemonLog.redactWith((text) => secrets.redact(text));
  const shipped = await findShipped(folders.data);
  const contacted = new Contacted(clock);
  const deno = await findDeno();
  const sandboxes = createSandboxes({
    log,
    clock,
    runtimeFolder: folders.runtime,
    stateFolder: folders.state,
    instanceId: instance,
    config: main,
    deno,
    guestFolder: shipped.guest,
    onConnect: (sandbox, host, port, traffic) => contacted.opened(sandbox, host, port, traffic),
    onEgress: (record) => store.egress.insert(record),
  });
  const lower = { folders, log, configuration, changes, store, secrets, shipped, sandboxes };
  const services = await loadServices({ ...lower, contacted });
  const agents = createAgents({
    configuration: () => configuration.current(),
    sandboxes,
    services,
    guest: guestBin(folders, shipped, deno),
    secrets,
    store,
    folders,
    clock,
    log,
  });
  const miniApps = await loadApps({ ...lower, services });
  const threads = await loadThreads({ ...lower, services, inbox: miniApps.inbox });
  tellChanges({ changes, configuration, ...miniApps, ...threads });
  const trials = new Trials({ clock, folder: files.trials });
  return {
    folders,
    clock,
    instance,
    startedWith: main,
    changes,
    trials,
    startedAt: clock.now(),
    log,
    shipped,
    deno,
    configuration,
    editor: new ConfigurationEditor({ folder: folders.config, home: homeFolder }),
    store,
    secrets,
    sandboxes,
    contacted,
    askedSandbox: main.sandbox,
    services,
    agents,
    ...miniApps,
    ...threads,
    async [Symbol.asyncDispose]() {
      await agents.close();
      await threads.closeThreads();
      await miniApps.origins.close();
      await miniApps.apps.close();
      await services.close();
      await trials.close();
      store.close();
    },
  };
}

/** The configuration with what the command line says instead, which counts as asked for like what is written. */
function overridden(read: Configuration, { sandbox }: Overrides): Configuration {
  return sandbox === undefined ? read : { ...read, main: { ...read.main, sandbox } };
}

/** The services over the parts that are there before them. */
async function loadServices(
  parts: Pick<
    Parts,
    | "folders"
    | "log"
    | "configuration"
    | "changes"
    | "store"
    | "secrets"
    | "shipped"
    | "sandboxes"
    | "contacted"
  >,
): Promise<Services> {
  const { folders, log, configuration, changes, store, secrets, shipped, sandboxes, contacted } = parts;
  const files = homeFiles(folders);
  const program = await programMark();
  return await Services.load({
    clock: systemClock,
    log,
    runtimeFolder: folders.runtime,
    catalogFolders: {
      shippedInterfaces: shipped.interfaces,
      shippedConnectors: shipped.connectors,
      userInterfaces: files.userInterfaces,
      userConnectors: files.userConnectors,
      soundInterfaces: program === undefined ? undefined : { file: files.soundInterfaces, program },
    },
    connectorFolders: { guest: shipped.guest, builds: shipped.connectorBuilds },
    trust: store.trust,
    bindingConfigs: () => configuration.current().bindings,
    startSandbox: async (spec, connector) => {
      const driver = await sandboxes.chosen();
      if (driver.name === "deno") askedForDeno(confined(connector), configuration.current().main);
      const sandbox = await driver.start(spec);
      void sandbox.exited.then(() => contacted.forget(sandbox.name));
      return sandbox;
    },
    resolveSecret: (reference, slot) => secrets.resolve(reference, slot),
    redact: (text) => secrets.redact(text),
    hostsSince: (sandbox, since) => contacted.since(sandbox, since),
    idleMs: () => configuration.current().main.connectors.idleSeconds * 1000,
    record: (record) => store.calls.insert(record),
    connectorChanged: (binding) => changes.tell("connectors", binding),
    telemetry: await openTelemetry(),
  });
}

/** What is not told where it happens. */
function tellChanges(
  { changes, configuration, apps, threads }: Pick<Parts, "changes" | "configuration" | "apps" | "threads">,
): void {
  apps.registry.onChange(() => changes.tell("apps"));
  threads.onChange((thread) => changes.tell("threads", thread));
  configuration.subscribe(({ persons }) => {
    if (Object.values(persons).some((names) => names.length > 0)) changes.tell("persons");
  });
}

function guestBin(folders: Folders, shipped: Shipped, deno: string | undefined) {
  return createGuestBin({
    stateFolder: folders.state,
    bundleFolder: shipped.guest,
    compiledProgram: isCompiled ? ownProgram() : undefined,
    denoInside: (driver) => driver === "deno" ? deno ?? "deno" : INSIDE.deno,
  });
}

function confined({ name, origin }: Connector): Confined {
  return { kind: "connector", name, shipped: origin === "shipped" };
}
