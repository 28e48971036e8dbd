import { HandlerError } from "../../base/mod.ts";
import { makeFifo, run } from "../../platform/mod.ts";
import type { Box } from "../boxes.ts";
import { checkSpec } from "../check_spec.ts";
import { type EgressSockets, openEgress, planEgress } from "../egress/sockets.ts";
import { plainEnv } from "../environment.ts";
import { type HostDeno, inspectDeno, once } from "../host_deno.ts";
import { INSIDE } from "../inside.ts";
import { launch, logFileOf, logFileTail, nulSeparated } from "../launched.ts";
import { type ControlGroup, existingGroup, removeGroup } from "../limits/cgroup.ts";
import { dataLimit, guard } from "../limits/guard.ts";
import type { DriverPorts } from "../ports.ts";
import { insideCommand, mountedDeno, needsBoot, needsSystem } from "../program.ts";
import { reasonWithHint } from "../reason.ts";
import { runningSandbox, saysOutOfMemory } from "../running.ts";
import type { PastExit, PreparedSandbox, Sandbox, SandboxDriver, SandboxSpec } from "../spec.ts";
import { processHandle, type StartedProcess, stillRuns } from "../state.ts";
import { exitCodeIn, pastExitIn, statusFileIn } from "../status_file.ts";
import { bubblewrapArgs } from "./args.ts";
import { behindGate, gateIn } from "./gate.ts";
import { launchArgv } from "./launch.ts";
import { notStopped } from "./not_stopped.ts";
import { BubblewrapProcess } from "./process.ts";
import { findTools, type Tools } from "./tools.ts";

const DRIVER = "bubblewrap";

/** Everything that is made for one start, to be freed at its end. */
interface Prepared {
  readonly egress: EgressSockets | undefined;
  readonly box: Box;
  readonly group: ControlGroup | undefined;
}

/** Linux namespaces made by bubblewrap, around the host's Deno; no image. */
export class BubblewrapDriver implements SandboxDriver {
  readonly name = DRIVER;
  readonly #ports: DriverPorts;
  readonly #tools: () => Promise<Tools>;
  readonly #deno: () => Promise<HostDeno>;
  readonly #own = new Set<string>();
  #found: Tools | undefined;

  constructor(ports: DriverPorts) {
    this.#ports = ports;
    this.#tools = once(async () => this.#found = await findTools(ports.home, ports.stateFolder));
    this.#deno = once(() => inspectDeno(ports.deno, { libraries: true }));
  }

  async probe(): Promise<{ works: true } | { works: false; why: string }> {
    try {
      const [tools] = await Promise.all([this.#tools(), this.#deno()]);
      const { code, stderr } = await run(namespaces(tools.bubblewrap), { timeoutMs: 10_000 });
      return code === 0
        ? { works: true }
        : { works: false, why: `bubblewrap cannot make namespaces: ${stderr.trim()}` };
    } catch (error) {
      return { works: false, why: reasonWithHint(error) };
    }
  }

  notStopped(): readonly string[] {
    return notStopped(this.#found);
  }

  async start(spec: SandboxSpec): Promise<Sandbox> {
    return await this.#begin(spec, "at once");
  }

  /** The namespaces, mounts and groups are there; bubblewrap itself waits to become the program. */
  async prepare(spec: SandboxSpec): Promise<PreparedSandbox> {
    const sandbox = await this.#begin(spec, "when told");
    return await behindGate(sandbox, this.#ports.boxes.folder(spec.name));
  }

  async #begin(spec: SandboxSpec, when: "at once" | "when told"): Promise<Sandbox> {
    if (spec.image !== undefined) {
      throw new HandlerError(
        "usage",
        `the sandbox ${spec.name} needs the image ${spec.image}, bubblewrap has none`,
        {
          hint: "use the podman driver for it",
        },
      );
    }
    await checkSpec(spec);
    const tools = await this.#tools();
    const prepared = await this.#prepare(spec, tools);
    try {
      const gate = when === "at once" ? undefined : gateIn(prepared.box.folder);
      if (gate !== undefined) await makeFifo(gate);
      return await this.#launch(spec, tools, prepared, gate);
    } catch (error) {
      await this.#free(spec.name, prepared);
      throw error;
    }
  }

  async #prepare(spec: SandboxSpec, tools: Tools): Promise<Prepared> {
    const { boxes } = this.#ports;
    boxes.claim(spec.name);
    const plan = planEgress(spec.egress);
    const [box, egress, group] = await Promise.allSettled([
      boxes.make(spec.name, plan.listens),
      this.#openEgress(spec.name, spec.egress),
      tools.groups?.make(spec.name, spec),
    ]);
    if (box.status === "fulfilled" && egress.status === "fulfilled" && group.status === "fulfilled") {
      return { box: box.value, egress: egress.value, group: group.value };
    }
    if (egress.status === "fulfilled") await egress.value?.close();
    if (group.status === "fulfilled") await removeGroup(group.value?.folders ?? []);
    await boxes.remove(spec.name);
    throw [box, egress, group].find((one) => one.status === "rejected")!.reason;
  }

  async #openEgress(name: string, rules: SandboxSpec["egress"]): Promise<EgressSockets | undefined> {
    if (rules.length === 0) return undefined;
    const { boxes, gate: ports } = this.#ports;
    return await openEgress({ sandbox: name, folder: boxes.egressFolder(name), rules, ports });
  }

  async #launch(
    spec: SandboxSpec,
    tools: Tools,
    prepared: Prepared,
    gate: string | undefined,
  ): Promise<Sandbox> {
    const { box, egress, group } = prepared;
    const plan = egress ?? { listens: [], proxy: undefined };
    const deno = await this.#denoFor(spec);
    const lowPorts = tools.lowPorts && plan.listens.some(({ port }) => port < 1024);
    const nothing = { command: [], version: "" };
    const argv = launchArgv({
      bubblewrap: tools.bubblewrap,
      groups: group?.folders ?? [],
      ulimits: ulimits(spec, group !== undefined),
      stdinFifo: spec.stdinFifo,
      logFile: logFileOf(spec),
      statusFile: statusFileIn(box.folder),
      filterFile: tools.filterFile,
      gate,
      lowPorts,
      outlivesDaemon: spec.outlivesDaemon,
      program: insideCommand(spec, { ...plan, secretsSocket: undefined }, deno ? mountedDeno(deno) : nothing),
    });
    const { extraAuthorities, guestFolder } = this.#ports;
    const plain = plainEnv(spec, plan, { lowPorts: tools.lowPorts, extraAuthorities });
    const args = bubblewrapArgs({
      spec,
      box,
      deno,
      features: tools.features,
      filtered: tools.filterFile !== undefined,
      nested: lowPorts,
      kernel: tools.kernel,
      env: { ...plain, ...spec.secretEnv },
      egressFolder: egress ? box.egress : undefined,
      guestFolder: needsBoot(spec) || spec.kind === "agent" ? guestFolder : undefined,
      system: needsSystem(spec) ? tools.system : [],
    });
    return await this.#spawn(spec, prepared, argv, args);
  }

  /** Agents get a Deno for Handler's commands where there is one; Deno programs and the boot cannot do without. */
  async #denoFor(spec: SandboxSpec): Promise<HostDeno | undefined> {
    if (needsBoot(spec)) return await this.#deno();
    return spec.kind === "agent" ? await this.#deno().catch(() => undefined) : undefined;
  }

  async #spawn(spec: SandboxSpec, prepared: Prepared, argv: string[], args: string[]): Promise<Sandbox> {
    const { name, outlivesDaemon } = spec;
    const logFile = logFileOf(spec);
    const launched = await launch({
      argv,
      env: { PATH: "/usr/bin:/bin" },
      input: nulSeparated(args),
      logFile,
    });
    const { pid, mark, log } = launched;
    const groups = prepared.group?.folders ?? [];
    const limits = { memoryBytes: spec.memoryBytes, pids: spec.pids };
    const started = { name, driver: DRIVER, pid, mark, groups, outlivesDaemon, logFile, limits };
    await this.#remember(started);
    return this.#running(started, prepared, launched.ended, log, spec.timeoutMs);
  }

  #running(
    started: StartedProcess,
    prepared: Omit<Prepared, "box">,
    ended: Promise<number>,
    log: () => string,
    timeoutMs?: number,
  ): Sandbox {
    const { boxes, clock } = this.#ports;
    const process = new BubblewrapProcess(started, boxes.folder(started.name));
    const kill = () => process.kill();
    const findRoot = async () => (await process.init())?.pid;
    const watch = prepared.group ? undefined : guard({ findRoot, limits: started.limits, clock, kill });
    return runningSandbox({
      name: started.name,
      driver: DRIVER,
      handle: processHandle(started),
      // with its first process bubblewrap has ended, but what that left behind may still run
      ended: ended.finally(kill),
      root: async () => await stillRuns(started) ? started.pid : undefined,
      ask: () => process.ask(),
      kill,
      outOfMemory: async (code) =>
        watch?.outOfMemory() || (await prepared.group?.outOfMemoryKills() ?? 0) > 0 ||
        saysOutOfMemory(code, log()),
      release: async () => {
        watch?.stop();
        await this.#free(started.name, prepared);
      },
      log,
      clock,
      timeoutMs,
    });
  }

  async #remember(started: StartedProcess): Promise<void> {
    this.#own.add(started.name);
    await this.#ports.started.remember(started);
  }

  async #free(name: string, prepared: Omit<Prepared, "box">): Promise<void> {
    await prepared.egress?.close();
    await removeGroup(prepared.group?.folders ?? []);
    await this.#ports.boxes.remove(name);
    await this.#ports.started.forget({ name, driver: DRIVER });
    this.#own.delete(name);
  }

  async adopt(name: string, handle: string, spec: Pick<SandboxSpec, "egress">): Promise<Sandbox | undefined> {
    const all = await this.#ports.started.list(DRIVER);
    const started = all.find((one) => one.name === name && processHandle(one) === handle);
    if (!started || !await stillRuns(started)) return undefined;
    const egress = await this.#openEgress(name, spec.egress);
    const { boxes, clock } = this.#ports;
    boxes.claim(name);
    this.#own.add(name);
    const ended = exitCodeIn(statusFileIn(boxes.folder(name)), started, clock);
    const group = started.groups.length === 0 ? undefined : existingGroup(started.groups);
    const log = () => started.logFile === undefined ? "" : logFileTail(started.logFile);
    return this.#running(started, { egress, group }, ended, log);
  }

  async pastExit(name: string, handle: string): Promise<PastExit | undefined> {
    const { started: all, boxes } = this.#ports;
    const started = (await all.list(DRIVER)).find((one) =>
      one.name === name && processHandle(one) === handle
    );
    if (!started || await stillRuns(started)) return undefined;
    const exit = await pastExitIn(statusFileIn(boxes.folder(name)));
    if (!exit) return undefined;
    const group = existingGroup(started.groups);
    await new BubblewrapProcess(started, boxes.folder(name)).kill();
    const words = started.logFile === undefined ? "" : logFileTail(started.logFile);
    const memory = started.groups.length > 0 && await group.outOfMemoryKills().catch(() => 0) > 0 ||
      saysOutOfMemory(exit.code, words);
    await this.#free(name, { egress: undefined, group });
    return { ...exit, reason: memory ? "memory" : "exited" };
  }

  async reap(keepHandles: readonly string[]): Promise<number> {
    const { started, boxes } = this.#ports;
    let removed = 0;
    for (const one of await started.list(DRIVER)) {
      if (keepHandles.includes(processHandle(one)) || this.#own.has(one.name)) continue;
      if (await stillRuns(one)) removed++;
      await new BubblewrapProcess(one, boxes.folder(one.name)).kill();
      await this.#free(one.name, { egress: undefined, group: existingGroup(one.groups) });
    }
    return removed;
  }
}

/** A command that makes the namespaces of a sandbox and ends. */
function namespaces(bubblewrap: string): string[] {
  const own = ["--unshare-all", "--unshare-user", "--uid", String(INSIDE.uid), "--gid", String(INSIDE.gid)];
  return [bubblewrap, ...own, "--ro-bind", "/", "/", "--proc", "/proc", "--", "/bin/sh", "-c", ":"];
}

/** No core files; and in place of a control group, what the shell can limit. */
function ulimits(spec: SandboxSpec, grouped: boolean): string[] {
  return grouped ? ["-c 0"] : ["-c 0", `-d ${Math.ceil(dataLimit(spec) / 1024)}`];
}
