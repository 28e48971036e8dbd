import { join } from "node:path";
import { newId } from "../../base/mod.ts";
import { endGroup, statIfThere } from "../../platform/mod.ts";
import type { Box } from "../boxes.ts";
import { checkSpec } from "../check_spec.ts";
import { type EgressSockets, openEgress, planEgress } from "../egress/sockets.ts";
import { plainEnv } from "../environment.ts";
import { type HostDeno, inspectDeno, once } from "../host_deno.ts";
import { INSIDE } from "../inside.ts";
import { launch, type Launched, LAY_STREAMS, logFileOf, logFileTail } from "../launched.ts";
import { guard } from "../limits/guard.ts";
import type { DriverPorts } from "../ports.ts";
import { insideCommand, needsBoot, needsSystem } from "../program.ts";
import { reasonWithHint } from "../reason.ts";
import { runningSandbox, saysOutOfMemory } from "../running.ts";
import type { PastExit, PreparedSandbox, Sandbox, SandboxDriver, SandboxSpec } from "../spec.ts";
import { systemMounts } from "../system_folders.ts";
import { containerArgs, denoByLoader } from "./args.ts";
import { findPodman } from "./cli.ts";
import {
  Container,
  listContainers,
  removeLeftSecrets,
  type StoredSecrets,
  storeSecrets,
} from "./container.ts";
import { notStopped } from "./not_stopped.ts";
import { offerSecrets, SECRETS_INSIDE, SECRETS_VARIABLE } from "./secrets.ts";
import { findSetup, type PodmanSetup } from "./setup.ts";

const DRIVER = "podman";
const LABEL = {
  home: "handler.home",
  name: "handler.sandbox",
  instance: "handler.instance",
  log: "handler.log",
};

const SCRIPT = `
fifo=$1 log=$2
shift 2
${LAY_STREAMS}
exec "$@"
`;

/** What is made for one start, to be freed at its end. */
interface Prepared {
  readonly box: Box;
  readonly egress: EgressSockets | undefined;
  readonly withdrawSecrets: () => void;
}

/** One start, from its first step on. */
interface Starting {
  readonly spec: SandboxSpec;
  readonly setup: PodmanSetup;
  readonly container: Container;
  readonly prepared: Prepared;
  readonly stored: StoredSecrets;
}

/** Rootless or rootful podman, containers without a network. */
export class PodmanDriver implements SandboxDriver {
  readonly name = DRIVER;
  readonly #ports: DriverPorts;
  readonly #setup: () => Promise<PodmanSetup>;
  readonly #deno: () => Promise<HostDeno>;
  readonly #system = once(systemMounts);
  readonly #own = new Set<string>();
  #found: PodmanSetup | undefined;

  constructor(ports: DriverPorts) {
    this.#ports = ports;
    this.#deno = once(() => inspectDeno(ports.deno, { libraries: true }));
    this.#setup = once(async () => {
      const { image } = ports;
      return this.#found = await findSetup({ image, folder: join(ports.stateFolder, "podman") });
    });
  }

  async probe(): Promise<{ works: true } | { works: false; why: string }> {
    try {
      await this.#setup();
      return { works: true };
    } catch (error) {
      return { works: false, why: reasonWithHint(error) };
    }
  }

  notStopped(): readonly string[] {
    return notStopped(this.#found);
  }

  async start(spec: SandboxSpec): Promise<Sandbox> {
    return await this.#begin(
      spec,
      async (starting) => await this.#launch(starting, ["run", ...await this.#args(starting)]),
    );
  }

  /** The container is created ahead, which is half of its start. */
  async prepare(spec: SandboxSpec): Promise<PreparedSandbox> {
    return await this.#begin(spec, async (starting) => {
      const { setup, container, prepared, stored } = starting;
      await setup.cli.must(["create", ...await this.#args(starting)]);
      await stored.remove();
      const discard = async () => {
        await container.remove();
        await this.#free(spec.name, container.name, prepared);
      };
      return {
        discard,
        start: async () => {
          try {
            return await this.#launch(starting, ["start", "--attach", "--sig-proxy=false", container.name]);
          } catch (error) {
            await discard();
            throw error;
          }
        },
      };
    });
  }

  async #begin<T>(spec: SandboxSpec, work: (starting: Starting) => Promise<T>): Promise<T> {
    await checkSpec(spec);
    const setup = await this.#setup();
    const container = `handler-${this.#ports.home}-${spec.name}-${newId().slice(-6)}`;
    this.#ports.boxes.claim(spec.name);
    this.#own.add(container);
    const prepared = await this.#prepare(spec);
    let stored: StoredSecrets | undefined;
    try {
      stored = await storeSecrets(setup.cli, container, needsBoot(spec) ? {} : spec.secretEnv);
      return await work({ spec, setup, container: new Container(container, setup.cli), prepared, stored });
    } catch (error) {
      await stored?.remove();
      await this.#free(spec.name, container, prepared);
      throw error;
    }
  }

  async #prepare(spec: SandboxSpec): Promise<Prepared> {
    const { boxes } = this.#ports;
    let egress: EgressSockets | undefined;
    try {
      const box = await boxes.make(spec.name, planEgress(spec.egress).listens);
      egress = await this.#openEgress(spec.name, spec.egress);
      const bySocket = needsBoot(spec) && Object.keys(spec.secretEnv).length > 0;
      const folder = boxes.egressFolder(spec.name);
      return {
        box,
        egress,
        withdrawSecrets: bySocket ? await offerSecrets(folder, spec.secretEnv) : () => {},
      };
    } catch (error) {
      await egress?.close();
      await boxes.remove(spec.name);
      throw error;
    }
  }

  async #openEgress(name: string, rules: SandboxSpec["egress"]): Promise<EgressSockets | undefined> {
    if (rules.length === 0) return undefined;
    const { boxes, gate: ports } = this.#ports;
    return await openEgress({ sandbox: name, folder: boxes.egressFolder(name), rules, ports });
  }

  /** Starts podman with these words; it ends with the container. */
  async #launch(starting: Starting, words: readonly string[]): Promise<Sandbox> {
    const { spec, setup } = starting;
    const logFile = logFileOf(spec);
    const argv = ["/bin/sh", "-c", SCRIPT, "handler-sandbox", spec.stdinFifo ?? "", logFile ?? ""];
    const all = [...argv, setup.cli.program, ...words];
    return this.#running(
      starting,
      // the container's monitor leaves a file `oom` in its folder when memory runs out
      await launch({
        argv: all,
        env: setup.cli.env,
        cwd: this.#ports.stateFolder,
        input: undefined,
        logFile,
      }),
    );
  }

  async #args({ spec, setup, container, prepared, stored }: Starting): Promise<string[]> {
    const { box, egress } = prepared;
    const { extraAuthorities, guestFolder } = this.#ports;
    const plan = egress ?? { listens: [], proxy: undefined };
    const bySocket = needsBoot(spec) && Object.keys(spec.secretEnv).length > 0;
    const plain = plainEnv(spec, plan, { lowPorts: true, extraAuthorities });
    const withSystem = needsSystem(spec) && spec.image === undefined;
    const deno = await this.#hostDeno(spec, withSystem);
    return containerArgs({
      spec,
      setup,
      container: container.name,
      deno,
      secrets: stored.names,
      box,
      sockets: egress !== undefined || bySocket,
      guestFolder: needsBoot(spec) || spec.kind === "agent" ? guestFolder : undefined,
      system: withSystem ? await this.#system() : [],
      env: { ...plain, ...(bySocket ? { [SECRETS_VARIABLE]: SECRETS_INSIDE } : {}) },
      labels: this.#labels(spec),
      command: insideCommand(
        spec,
        { ...plan, secretsSocket: bySocket ? SECRETS_INSIDE : undefined },
        denoInside(setup, deno, withSystem),
      ),
    });
  }

  /** The image's own Deno serves what runs in it alone; a foreign image and the host's folders get the host's. */
  async #hostDeno(spec: SandboxSpec, withSystem: boolean): Promise<HostDeno | undefined> {
    if (needsBoot(spec) && (spec.image !== undefined || withSystem)) return await this.#deno();
    return spec.kind === "agent" ? await this.#deno().catch(() => undefined) : undefined;
  }

  #labels(spec: SandboxSpec): Record<string, string> {
    const { home, instanceId } = this.#ports;
    const log = logFileOf(spec);
    return {
      ...spec.labels,
      [LABEL.home]: home,
      [LABEL.instance]: instanceId,
      [LABEL.name]: spec.name,
      ...(log === undefined ? {} : { [LABEL.log]: log }),
    };
  }

  #running({ spec, setup, container, prepared, stored }: Starting, launched: Launched): Sandbox {
    const { clock } = this.#ports;
    const kill = async () => {
      endGroup(launched.pid, "SIGKILL"); // else it may still be about to make the container
      await container.remove();
    };
    const findRoot = () => container.initPid();
    const watch = setup.limits ? undefined : guard({ findRoot, limits: spec, clock, kill });
    const forgotten = this.#forgetStored(container, launched, stored);
    return runningSandbox({
      name: spec.name,
      driver: DRIVER,
      handle: container.name,
      ended: launched.ended,
      root: findRoot,
      ask: () => container.ask(),
      kill,
      outOfMemory: async (code) =>
        watch?.outOfMemory() || saysOutOfMemory(code, launched.log()) ||
        (code === 137 && await container.outOfMemory()),
      release: async () => {
        watch?.stop();
        await forgotten;
        await container.remove();
        await this.#free(spec.name, container.name, prepared);
      },
      log: launched.log,
      clock,
      timeoutMs: spec.timeoutMs,
    });
  }

  /** Takes secrets out of podman's store once the container has them. */
  async #forgetStored(container: Container, launched: Launched, stored: StoredSecrets): Promise<void> {
    if (Object.keys(stored.names).length === 0) return;
    await container.whenCreated(launched.ended);
    await stored.remove();
  }

  async #free(name: string, container: string, prepared: Omit<Prepared, "box">): Promise<void> {
    prepared.withdrawSecrets();
    await prepared.egress?.close();
    await this.#ports.boxes.remove(name);
    this.#own.delete(container);
  }

  async adopt(name: string, handle: string, spec: Pick<SandboxSpec, "egress">): Promise<Sandbox | undefined> {
    const cli = await this.#setup().then((setup) => setup.cli, findPodman); // without an image it runs on all the same
    const container = new Container(handle, cli);
    if (!await container.isRunning()) return undefined;
    const egress = await this.#openEgress(name, spec.egress);
    const logFile = await container.label(LABEL.log);
    const log = () => logFile ? logFileTail(logFile) : "";
    this.#ports.boxes.claim(name);
    this.#own.add(handle);
    return runningSandbox({
      name,
      driver: DRIVER,
      handle,
      ended: container.wait(),
      root: () => container.initPid(),
      ask: () => container.ask(),
      kill: () => container.remove(),
      outOfMemory: async (code) => code === 137 && await container.outOfMemory(),
      release: async () => {
        await container.remove();
        await this.#free(name, handle, { egress, withdrawSecrets: () => {} });
      },
      log,
      clock: this.#ports.clock,
    });
  }

  async pastExit(name: string, handle: string): Promise<PastExit | undefined> {
    const container = new Container(handle, await this.#setup().then((setup) => setup.cli, findPodman));
    const exit = await container.pastExit();
    if (!exit) return undefined;
    const memory = exit.code === 137 && await container.outOfMemory();
    await container.remove();
    await this.#ports.boxes.remove(name);
    return { ...exit, reason: memory ? "memory" : "exited" };
  }

  async reap(keepHandles: readonly string[]): Promise<number> {
    const { stateFolder, home, boxes } = this.#ports;
    if (!await statIfThere(join(stateFolder, "podman"))) return 0; // never used here
    const cli = await findPodman().catch(() => undefined);
    let removed = 0;
    for (const { container, name } of cli ? await listContainers(cli, LABEL.home, home, LABEL.name) : []) {
      if (keepHandles.includes(container) || this.#own.has(container)) continue;
      await new Container(container, cli!).remove();
      await boxes.remove(name);
      removed++;
    }
    if (cli) await removeLeftSecrets(cli, `handler-${home}-`, this.#own);
    return removed;
  }
}

function denoInside(setup: PodmanSetup, host: HostDeno | undefined, withSystem: boolean) {
  if (!host) return { command: ["/bin/deno"], version: setup.denoVersion };
  return { command: withSystem ? [INSIDE.deno] : denoByLoader(host), version: host.version };
}
