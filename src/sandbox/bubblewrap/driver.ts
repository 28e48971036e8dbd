import { errorText, HandlerError, utf8 } from "../../base/mod.ts";
import { processMark, run, start as startProcess, userId } from "../../platform/mod.ts";
import type { Box } from "../boxes.ts";
import { checkSpec } from "../check_spec.ts";
import { type EgressSockets, openEgress, planEgress } from "../egress/sockets.ts";
import { plainEnv } from "../environment.ts";
import { type HostDeno, inspectDeno, once } from "../host_deno.ts";
import { type ControlGroup, existingGroup, removeGroup } from "../limits/cgroup.ts";
import { watchTree } from "../limits/watchdog.ts";
import type { DriverPorts } from "../ports.ts";
import { insideCommand, mountedDeno, needsBoot } from "../program.ts";
import { LogTail, runningSandbox, saysOutOfMemory } from "../running.ts";
import type { Sandbox, SandboxDriver, SandboxSpec } from "../spec.ts";
import { processHandle, type StartedProcess, stillRuns } from "../state.ts";
import { bubblewrapArgs } from "./args.ts";
import { launchArgv } from "./launch.ts";
import { BubblewrapProcess, logFileTail, statusFileIn, whenUp } from "./process.ts";
import { findTools, type Tools } from "./tools.ts";

const DRIVER = "bubblewrap";
const WATCH_MS = 50;

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
  #limitsAreKernels = true;

  constructor(ports: DriverPorts) {
    this.#ports = ports;
    this.#tools = once(() => findTools(ports.home));
    this.#deno = once(() => inspectDeno(ports.deno));
  }

  async probe(): Promise<{ works: true } | { works: false; why: string }> {
    try {
      const [{ bubblewrap, groups }] = await Promise.all([this.#tools(), this.#deno()]);
      this.#limitsAreKernels = groups !== undefined;
      const argv = [bubblewrap, "--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000"];
      const { code, stderr } = await run([
        ...argv,
        "--ro-bind",
        "/",
        "/",
        "--proc",
        "/proc",
        "--",
        "/bin/true",
      ], {
        timeoutMs: 10_000,
      });
      return code === 0
        ? { works: true }
        : { works: false, why: `bubblewrap cannot make namespaces: ${stderr.trim()}` };
    } catch (error) {
      const hint = error instanceof HandlerError && error.hint ? ` (${error.hint})` : "";
      return { works: false, why: errorText(error) + hint };
    }
  }

  notStopped(): readonly string[] {
    return [];
  }

  async start(spec: SandboxSpec): Promise<Sandbox> {
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
    this.#limitsAreKernels = tools.groups !== undefined;
    const prepared = await this.#prepare(spec, tools);
    try {
      return await this.#launch(spec, tools, prepared);
    } catch (error) {
      await this.#free(spec.name, prepared);
      throw error;
    }
  }

  async #prepare(spec: SandboxSpec, tools: Tools): Promise<Prepared> {
    const { boxes } = this.#ports;
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
    const { boxes, clock, log, dial, onEgress } = this.#ports;
    const ports = { ...dial, clock, log, onEgress };
    return await openEgress({ sandbox: name, folder: boxes.egressFolder(name), rules, ports });
  }

  async #launch(spec: SandboxSpec, tools: Tools, prepared: Prepared): Promise<Sandbox> {
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
      logFile: spec.logFile ?? (spec.outlivesDaemon ? "/dev/null" : undefined),
      statusFile: statusFileIn(box.folder),
      lowPorts,
      outlivesDaemon: spec.outlivesDaemon,
      program: insideCommand(spec, plan, deno ? mountedDeno(deno) : nothing),
    });
    const { extraAuthorities, guestFolder } = this.#ports;
    const plain = plainEnv(spec, plan, { lowPorts: tools.lowPorts, extraAuthorities });
    const args = bubblewrapArgs({
      spec,
      box,
      deno,
      features: tools.features,
      nested: lowPorts,
      masked: tools.masked,
      env: { ...plain, ...spec.secretEnv },
      egressFolder: egress ? box.egress : undefined,
      guestFolder: needsBoot(spec) || spec.kind === "agent" ? guestFolder : undefined,
      system: spec.kind === "agent" ? tools.system : [],
    });
    return await this.#spawn(spec, prepared, argv, args);
  }

  /** Agents get a Deno for Handler's commands where there is one; Deno programs and the boot cannot do without. */
  async #denoFor(spec: SandboxSpec): Promise<HostDeno | undefined> {
    if (needsBoot(spec)) return await this.#deno();
    return spec.kind === "agent" ? await this.#deno().catch(() => undefined) : undefined;
  }

  async #spawn(
    spec: SandboxSpec,
    prepared: Prepared,
    argv: readonly string[],
    args: readonly string[],
  ): Promise<Sandbox> {
    const ownLog = spec.logFile === undefined && !spec.outlivesDaemon;
    const output = ownLog ? "piped" : "null";
    const child = startProcess(argv, {
      env: { PATH: "/usr/bin:/bin" },
      stdin: "piped",
      stdout: output,
      stderr: output,
    });
    const tail = new LogTail();
    const printed = ownLog ? [collect(child.stdout, tail), collect(child.stderr, tail)] : [];
    const mark = await processMark(child.pid) ?? "";
    const groups = prepared.group?.folders ?? [];
    const { name, outlivesDaemon, logFile } = spec;
    const started = { name, driver: DRIVER, pid: child.pid, mark, groups, outlivesDaemon, logFile };
    await this.#remember(started);
    await feed(child.stdin, args);
    const ended = child.status.then(async ({ code }) => {
      await new BubblewrapProcess(started, prepared.box.folder).kill();
      await Promise.all(printed);
      return code;
    });
    const log = () => spec.logFile === undefined ? tail.text() : logFileTail(spec.logFile);
    return this.#running(started, prepared, ended, log, spec);
  }

  #running(
    started: StartedProcess,
    prepared: Omit<Prepared, "box">,
    ended: Promise<number>,
    log: () => string,
    spec: Partial<SandboxSpec>,
  ): Sandbox {
    const { boxes, clock } = this.#ports;
    const process = new BubblewrapProcess(started, boxes.folder(started.name));
    const watch = { memory: false, stop: () => {} };
    if (prepared.group === undefined && spec.memoryBytes !== undefined && spec.pids !== undefined) {
      const limits = { memoryBytes: spec.memoryBytes, pids: spec.pids };
      void whenUp(process, ended).then(async () => {
        const init = await process.init();
        if (!init) return;
        watch.stop = watchTree({
          rootPid: init.pid,
          limits,
          everyMs: WATCH_MS,
          clock,
          exceeded: (what) => {
            watch.memory = what === "memory";
            void process.kill();
          },
        });
      });
    }
    return runningSandbox({
      name: started.name,
      driver: DRIVER,
      handle: processHandle(started),
      ended,
      ask: () => process.ask(),
      kill: () => process.kill(),
      outOfMemory: async (code) =>
        watch.memory || (await prepared.group?.outOfMemoryKills() ?? 0) > 0 || saysOutOfMemory(code, log()),
      release: async () => {
        watch.stop();
        await this.#free(started.name, prepared);
      },
      log,
      clock,
      timeoutMs: spec.timeoutMs,
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
    this.#own.add(name);
    const { boxes, clock } = this.#ports;
    const process = new BubblewrapProcess(started, boxes.folder(name));
    const ended = process.waitForOther(clock).then(async (code) => {
      await process.kill();
      return code;
    });
    const group = started.groups.length === 0 ? undefined : existingGroup(started.groups);
    const log = () => started.logFile === undefined ? "" : logFileTail(started.logFile);
    return this.#running(started, { egress, group }, ended, log, {});
  }

  async reap(keepHandles: readonly string[]): Promise<number> {
    const { started, boxes } = this.#ports;
    let removed = 0;
    for (const one of await started.list(DRIVER)) {
      if (keepHandles.includes(processHandle(one)) || this.#own.has(one.name)) continue;
      if (await stillRuns(one)) removed++;
      await new BubblewrapProcess(one, boxes.folder(one.name)).kill();
      await this.#free(one.name, { egress: undefined, group: undefined });
    }
    return removed;
  }
}

async function collect(stream: ReadableStream<Uint8Array>, tail: LogTail): Promise<void> {
  try {
    for await (const bytes of stream) tail.add(bytes);
  } catch {
    // the program was ended in the middle of a line
  }
}

/** Hands bubblewrap its arguments; where it ended before it read them, its exit code says so. */
async function feed(stdin: WritableStream<Uint8Array>, args: readonly string[]): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(utf8(args.map((arg) => arg + "\0").join("")));
    await writer.close();
  } catch {
    // told by the exit
  }
}

/**
 * Limits of each process: no core files; and where there is no control group, the processes of the user inside (the
 * kernel counts them for each user namespace) and the memory that one process may hold for itself.
 */
function ulimits(spec: SandboxSpec, grouped: boolean): string[] {
  if (grouped) return ["-c 0"];
  const data = `-d ${Math.ceil((spec.memoryBytes + (256 << 20)) / 1024)}`;
  return userId() === 0 ? ["-c 0", data] : ["-c 0", data, `-u ${spec.pids}`];
}
