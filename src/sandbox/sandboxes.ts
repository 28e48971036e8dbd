import { join } from "node:path";
import { type Clock, HandlerError, type Logger, utf8 } from "../base/mod.ts";
import { connectTcp, resolveHost } from "../platform/mod.ts";
import { authorityBundle, Boxes } from "./boxes.ts";
import { BubblewrapDriver } from "./bubblewrap/driver.ts";
import { DenoDriver } from "./deno/driver.ts";
import { splitHostPort } from "./egress/dial.ts";
import { once } from "./host_deno.ts";
import { PodmanDriver } from "./podman/driver.ts";
import type { DriverPorts } from "./ports.ts";
import type {
  DriverName,
  EgressRecord,
  PastExit,
  PreparedSandbox,
  Sandbox,
  SandboxDriver,
  SandboxSpec,
} from "./spec.ts";
import { StartedProcesses } from "./state.ts";

/** The parts of the configuration that sandboxes depend on. */
export interface SandboxConfig {
  readonly sandbox: "auto" | DriverName;
  readonly image: string | undefined;
  readonly egress: { readonly caFile: string | undefined; readonly dial: Readonly<Record<string, string>> };
}

/** Everything {@linkcode createSandboxes} needs. */
export interface SandboxesOptions {
  readonly log: Logger;
  readonly clock: Clock;
  /** For sockets and small files of running sandboxes; short, private (0700), gone with a restart of the machine. */
  readonly runtimeFolder: string;
  /** For what a later daemon must know. */
  readonly stateFolder: string;
  /** Names this daemon in labels. */
  readonly instanceId: string;
  readonly config: SandboxConfig;
  /** The Deno that runs inside sandboxes (`findDeno()`), a program and not a script; undefined where there is none. */
  readonly deno: string | undefined;
  /** The folder of Handler's own guest programs, `boot.js` among them. */
  readonly guestFolder: string;
  /** Called when a connection to the outside is open, with its bytes as they grow; what it gives, when that has ended. */
  onConnect(
    sandbox: string,
    host: string,
    port: number,
    traffic: { readonly sent: number; readonly received: number },
  ): () => void;
  /** Called once for each connection to the outside, when it has ended or was refused. */
  onEgress(record: EgressRecord): void;
}

/** What a driver says of itself on this machine. */
export interface Probe {
  readonly driver: DriverName;
  readonly works: boolean;
  /** Why it does not work, for a person. */
  readonly why?: string;
  readonly notStopped: readonly string[];
}

/** The drivers of this machine behind one door. */
export interface Sandboxes {
  driver(name: DriverName): SandboxDriver;
  /**
   * The driver that the configuration names, or with `auto` the first that works: podman, bubblewrap, deno. Looked for
   * once.
   *
   * @throws {HandlerError} `unavailable` when it does not work here, with the reason.
   */
  chosen(): Promise<SandboxDriver>;
  /** Starts on the chosen driver. */
  start(spec: SandboxSpec): Promise<Sandbox>;
  /** Makes a sandbox ahead of its start on the chosen driver. */
  prepare(spec: SandboxSpec): Promise<PreparedSandbox>;
  /** Takes over a sandbox of an earlier daemon; undefined where it has ended. */
  adopt(
    driver: DriverName,
    name: string,
    handle: string,
    spec: Pick<SandboxSpec, "egress">,
  ): Promise<Sandbox | undefined>;
  /** How a sandbox of an earlier daemon has ended; undefined where it runs or nothing is known. */
  pastExit(driver: DriverName, name: string, handle: string): Promise<PastExit | undefined>;
  /** Removes what earlier daemons of this home left under any driver, except the handles to keep. */
  reap(keepHandles: readonly string[]): Promise<number>;
  probeAll(): Promise<readonly Probe[]>;
}

/** In the order of preference of `auto`. */
const ORDER: readonly DriverName[] = ["podman", "bubblewrap", "deno"];

/** Builds the drivers; nothing is started, found or written before the first use. */
export function createSandboxes(options: SandboxesOptions): Sandboxes {
  const drivers = makeDrivers(options);
  const chosen = once(() => choose(options, drivers));
  const driver = (name: DriverName) => drivers[name];
  return {
    driver,
    chosen,
    start: async (spec) => await (await chosen()).start(spec),
    prepare: async (spec) => await (await chosen()).prepare(spec),
    adopt: (name, ...rest) => driver(name).adopt(...rest),
    pastExit: (name, ...rest) => driver(name).pastExit(...rest),
    async reap(keepHandles) {
      let removed = 0;
      for (const name of ORDER) removed += await drivers[name].reap(keepHandles);
      return removed;
    },
    probeAll: () => Promise.all(ORDER.map((name) => probe(drivers[name]))),
  };
}

async function choose(
  { config, log }: SandboxesOptions,
  drivers: Record<DriverName, SandboxDriver>,
): Promise<SandboxDriver> {
  const reasons: string[] = [];
  for (const name of config.sandbox === "auto" ? ORDER : [config.sandbox]) {
    const found = await drivers[name].probe();
    if (found.works) {
      log.log("info", `sandboxes run under ${name}`, { passedOver: reasons.join("; ") });
      return drivers[name];
    }
    reasons.push(`${name}: ${found.why}`);
  }
  throw new HandlerError("unavailable", `no sandbox can be started here: ${reasons.join("; ")}`, {
    hint: "handler doctor says what each driver needs",
  });
}

async function probe(driver: SandboxDriver): Promise<Probe> {
  const found = await driver.probe();
  return {
    driver: driver.name,
    works: found.works,
    ...(found.works ? {} : { why: found.why }),
    notStopped: driver.notStopped(),
  };
}

function makeDrivers(options: SandboxesOptions): Record<DriverName, SandboxDriver> {
  const ports = driverPorts(options);
  return {
    bubblewrap: new BubblewrapDriver(ports),
    deno: new DenoDriver(ports),
    podman: new PodmanDriver(ports),
  };
}

function driverPorts(options: SandboxesOptions): DriverPorts {
  const { log, clock, runtimeFolder, stateFolder, instanceId, config, deno, guestFolder } = options;
  const { caFile, dial } = config.egress;
  const overrides = Object.entries(dial).map(([from, to]) => [splitHostPort(from).join(":"), to]);
  return {
    log,
    clock,
    instanceId,
    image: config.image,
    deno,
    guestFolder,
    stateFolder,
    home: homeMark(stateFolder),
    extraAuthorities: caFile !== undefined,
    boxes: new Boxes({
      root: join(runtimeFolder, "box"),
      authorities: once(() => authorityBundle(caFile, join(runtimeFolder, "authorities.pem"))),
    }),
    started: new StartedProcesses({ folder: join(stateFolder, "sandboxes") }),
    gate: {
      clock,
      log,
      resolve: resolveHost,
      connect: connectTcp,
      overrides: Object.fromEntries(overrides),
      onConnect: (sandbox, host, port, traffic) => options.onConnect(sandbox, host, port, traffic),
      onEgress: (record) => options.onEgress(record),
    },
  };
}

/** A short mark of a home folder (FNV-1a, 64 bits), the same in every run of its daemon. */
function homeMark(folder: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of utf8(folder)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(36);
}
