import { join } from "node:path";
import { HandlerError } from "../../base/mod.ts";
import { endGroup, ensureFolder, run } from "../../platform/mod.ts";
import { checkSpec } from "../check_spec.ts";
import { configFile, denoArgs } from "../deno_args.ts";
import { type LoopbackProxy, newCredential, openLoopbackProxy } from "../egress/loopback.ts";
import { authorityFileEnv, commonEnv, proxyVariables } from "../environment.ts";
import { type HostDeno, inspectDeno, once } from "../host_deno.ts";
import { INSIDE } from "../inside.ts";
import { launch, LAY_STREAMS, logFileOf, logFileTail } from "../launched.ts";
import type { DriverPorts } from "../ports.ts";
import { reasonWithHint } from "../reason.ts";
import { runningSandbox, saysOutOfMemory } from "../running.ts";
import type { DenoProgram, PastExit, PreparedSandbox, Sandbox, SandboxDriver, SandboxSpec } from "../spec.ts";
import { processHandle, type StartedProcess, stillRuns } from "../state.ts";
import { exitCodeIn, pastExitIn, statusFileIn } from "../status_file.ts";
import { renamedImportMap } from "./import_map.ts";
import { NOT_STOPPED } from "./not_stopped.ts";
import { renamedSpec, Renamer } from "./rename.ts";

const DRIVER = "deno";

/** Runs the program below this shell, so that its exit code is on disk for a later daemon too. */
const SCRIPT = `
fifo=$1 log=$2 status=$3
shift 3
ulimit -c 0
${LAY_STREAMS}
trap : TERM INT HUP
exec 3<&0 # a job in the background would lose its stdin
"$@" <&3 3<&- &
child=$!
while :; do
  wait "$child"
  code=$?
  kill -0 "$child" 2>/dev/null || break
done
echo "{ \\"exit-code\\": $code }" >"$status"
exit "$code"
`;

/** Deno's own permissions and nothing else: for what ships with Handler where nothing better works (contract A.2). */
export class DenoDriver implements SandboxDriver {
  readonly name = DRIVER;
  readonly #ports: DriverPorts;
  readonly #deno: () => Promise<HostDeno>;
  readonly #own = new Set<string>();

  constructor(ports: DriverPorts) {
    this.#ports = ports;
    this.#deno = once(() => inspectDeno(ports.deno, { libraries: false }));
  }

  async probe(): Promise<{ works: true } | { works: false; why: string }> {
    try {
      const { path } = await this.#deno();
      const { code, stderr } = await run([path, "eval", "--no-config", "0"], { timeoutMs: 20_000 });
      return code === 0 ? { works: true } : { works: false, why: `${path} does not run: ${stderr.trim()}` };
    } catch (error) {
      return { works: false, why: reasonWithHint(error) };
    }
  }

  notStopped(): readonly string[] {
    return NOT_STOPPED.map(({ says }) => says);
  }

  async start(spec: SandboxSpec): Promise<Sandbox> {
    if (spec.image !== undefined || spec.program.kind !== "deno") {
      const found = spec.image === undefined ? "a command" : `the image ${spec.image}`;
      throw new HandlerError(
        "usage",
        `the deno driver confines Deno programs alone, ${spec.name} is ${found}`,
        {
          hint: "use podman or bubblewrap for it",
        },
      );
    }
    await checkSpec(spec);
    this.#ports.boxes.claim(spec.name);
    const proxy = this.#openProxy(spec.name, spec.egress, 0, newCredential());
    try {
      return await this.#launch(spec, spec.program, proxy);
    } catch (error) {
      await this.#free(spec.name, proxy);
      throw error;
    }
  }

  /** There is nothing to make ahead: a start is that of the program. */
  prepare(spec: SandboxSpec): Promise<PreparedSandbox> {
    return Promise.resolve({ start: () => this.start(spec), discard: () => Promise.resolve() });
  }

  async #launch(spec: SandboxSpec, program: DenoProgram, proxy: LoopbackProxy | undefined): Promise<Sandbox> {
    const { boxes } = this.#ports;
    const deno = await this.#deno();
    const folder = boxes.folder(spec.name);
    const renamer = await this.#renamer(spec, folder, deno.path);
    const renamed = renamedSpec(spec, renamer);
    const flags = denoArgs(renamed.program as DenoProgram, {
      spec: renamed,
      version: deno.version,
      boot: join(this.#ports.guestFolder, "boot.js"),
      guest: this.#ports.guestFolder,
      egress: { listens: [], proxy: undefined },
      secretsSocket: undefined,
    });
    const imports = program.config === undefined ? undefined : await renamedImportMap(
      configFile(renamer.path(program.config)),
      renamer,
      join(folder, "imports.json"),
    );
    const [command, ...rest] = flags;
    const logFile = logFileOf(spec);
    const words = [spec.stdinFifo ?? "", logFile ?? "", statusFileIn(folder)];
    const argv = [deno.path, command!, ...(imports ? [`--import-map=${imports}`] : []), ...rest];
    const launched = await launch({
      argv: ["/bin/sh", "-c", SCRIPT, "handler-sandbox", ...words, ...argv],
      env: { ...await this.#env(renamed, renamer, proxy), ...spec.secretEnv },
      cwd: renamed.cwd,
      input: undefined,
      logFile,
    });
    const { pid, mark } = launched;
    const limits = { memoryBytes: spec.memoryBytes, pids: spec.pids };
    const { name, outlivesDaemon } = spec;
    const started = { name, driver: DRIVER, pid, mark, groups: [], outlivesDaemon, logFile, limits };
    await this.#remember({ ...started, proxy: proxy && { port: proxy.port, credential: proxy.credential } });
    return this.#running(started, proxy, launched.ended, launched.log, spec.timeoutMs);
  }

  /** The spec's mounts, and what other drivers have inside: a private `/tmp`, the guest programs, the Deno. */
  async #renamer(spec: SandboxSpec, folder: string, deno: string): Promise<Renamer> {
    const temporary = join(folder, "tmp");
    await ensureFolder(temporary);
    return new Renamer([
      { source: temporary, target: "/tmp", mode: "rw" },
      { source: this.#ports.guestFolder, target: INSIDE.guest, mode: "ro" },
      { source: deno, target: INSIDE.deno, mode: "ro" },
      ...spec.mounts,
    ]);
  }

  async #env(
    renamed: SandboxSpec,
    renamer: Renamer,
    proxy: LoopbackProxy | undefined,
  ): Promise<Record<string, string>> {
    const { boxes, extraAuthorities } = this.#ports;
    const plain = Object.entries(commonEnv()).map(([name, value]) => [name, renamer.word(value)]);
    const authorities = proxy ? await boxes.authorities() : undefined;
    return {
      ...Object.fromEntries(plain),
      PATH: commonEnv().PATH!.split(":").map((folder) => renamer.path(folder)).join(":"),
      ...(proxy ? proxyVariables(proxy.url, []) : {}),
      ...(authorities ? authorityFileEnv(authorities, extraAuthorities) : {}),
      ...renamed.env,
    };
  }

  #openProxy(
    name: string,
    rules: SandboxSpec["egress"],
    port: number,
    credential: string,
  ): LoopbackProxy | undefined {
    if (rules.length === 0) return undefined;
    return openLoopbackProxy({
      sandbox: name,
      rules,
      port,
      credential,
      ports: this.#ports.gate,
    });
  }

  #running(
    started: StartedProcess,
    proxy: LoopbackProxy | undefined,
    ended: Promise<number>,
    log: () => string,
    timeoutMs?: number,
  ): Sandbox {
    const signal = async (name: "SIGTERM" | "SIGKILL") => {
      if (await stillRuns(started)) endGroup(started.pid, name);
    };
    return runningSandbox({
      name: started.name,
      driver: DRIVER,
      handle: processHandle(started),
      ended: ended.finally(() => endGroup(started.pid, "SIGKILL")),
      root: async () => await stillRuns(started) ? started.pid : undefined,
      ask: () => signal("SIGTERM"),
      kill: () => signal("SIGKILL"),
      outOfMemory: (code) => Promise.resolve(saysOutOfMemory(code, log())),
      release: () => this.#free(started.name, proxy),
      log,
      clock: this.#ports.clock,
      timeoutMs,
    });
  }

  async #remember(started: StartedProcess): Promise<void> {
    this.#own.add(started.name);
    await this.#ports.started.remember(started);
  }

  async #free(name: string, proxy: LoopbackProxy | undefined): Promise<void> {
    proxy?.close();
    await this.#ports.boxes.remove(name);
    await this.#ports.started.forget({ name, driver: DRIVER });
    this.#own.delete(name);
  }

  async adopt(name: string, handle: string, spec: Pick<SandboxSpec, "egress">): Promise<Sandbox | undefined> {
    const all = await this.#ports.started.list(DRIVER);
    const started = all.find((one) => one.name === name && processHandle(one) === handle);
    if (!started || !await stillRuns(started)) return undefined;
    const proxy = started.proxy &&
      this.#openProxy(name, spec.egress, started.proxy.port, started.proxy.credential);
    this.#ports.boxes.claim(name);
    this.#own.add(name);
    const statusFile = statusFileIn(this.#ports.boxes.folder(name));
    const log = () => started.logFile === undefined ? "" : logFileTail(started.logFile);
    return this.#running(started, proxy, exitCodeIn(statusFile, started, this.#ports.clock), log);
  }

  async pastExit(name: string, handle: string): Promise<PastExit | undefined> {
    const { started: all, boxes } = this.#ports;
    const started = (await all.list(DRIVER)).find((one) =>
      one.name === name && processHandle(one) === handle
    );
    if (!started || await stillRuns(started)) return undefined;
    const exit = await pastExitIn(statusFileIn(boxes.folder(name)));
    if (!exit) return undefined;
    const words = started.logFile === undefined ? "" : logFileTail(started.logFile);
    await this.#free(name, undefined);
    return { ...exit, reason: saysOutOfMemory(exit.code, words) ? "memory" : "exited" };
  }

  async reap(keepHandles: readonly string[]): Promise<number> {
    let removed = 0;
    for (const one of await this.#ports.started.list(DRIVER)) {
      if (keepHandles.includes(processHandle(one)) || this.#own.has(one.name)) continue;
      if (await stillRuns(one)) {
        endGroup(one.pid, "SIGKILL");
        removed++;
      }
      await this.#free(one.name, undefined);
    }
    return removed;
  }
}
