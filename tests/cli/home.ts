import { dirname } from "node:path";
import { delay } from "../../src/base/mod.ts";
import {
  connectUnix,
  endGroup,
  findProgram,
  isAlive,
  ownProgram,
  run,
  type RunResult,
  start,
} from "../../src/platform/mod.ts";
import { ROOT } from "../../tools/repository.ts";

/** The names that the program answers to. */
const NAMES = ["handlerd", "handler", "handler-service", "handler-call", "handler-llm"];

/** A fresh home for one test: its own folders, its own daemon if one is asked for, nothing of the machine's. */
export interface Home extends AsyncDisposable {
  /** The folder that holds everything: `config`, `data`, `state`, `run`, `home`, `work`. */
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a shell command in `work`, with the program's names on its search path. */
  shell(command: string): Promise<RunResult>;
  /** Starts handlerd and waits until it answers. */
  startDaemon(): Promise<void>;
  /** Ends it as a service manager does (`SIGTERM`), or at once (`SIGKILL`). */
  stopDaemon(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/** Makes a home with these files in it, paths relative to it. The compiled file is used where HANDLER_UNDER_TEST names one. */
export async function makeHome(files: ReadonlyMap<string, string>): Promise<Home> {
  const path = await Deno.makeTempDir({ prefix: "h-" });
  for (const folder of ["config", "data", "state", "run", "home", "work", "bin"]) {
    await Deno.mkdir(`${path}/${folder}`, { mode: 0o700 });
  }
  for (const [name, text] of files) await writeFile(`${path}/${name}`, text.replaceAll("$ROOT", path));
  await makeCommands(`${path}/bin`);
  return home(path, environment(path));
}

async function writeFile(path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
}

async function makeCommands(folder: string): Promise<void> {
  const compiled = Deno.env.get("HANDLER_UNDER_TEST");
  for (const name of NAMES) {
    if (compiled) await Deno.symlink(await Deno.realPath(compiled), `${folder}/${name}`);
    else await Deno.writeTextFile(`${folder}/${name}`, fromSource(name), { mode: 0o755 });
  }
}

function fromSource(name: string): string {
  return `#!/bin/sh\nexec "${ownProgram()}" run --quiet -A "${ROOT}/main.ts" ${name} "$@"\n`;
}

function environment(path: string): Readonly<Record<string, string>> {
  const kept = ["CONTAINERS_CONF", "DENO_DIR", "DENO_TLS_CA_STORE", "SSL_CERT_FILE", "XDG_CACHE_HOME"];
  const inherited = kept.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(inherited),
    DENO_DIR: Deno.env.get("DENO_DIR") ??
      `${Deno.env.get("XDG_CACHE_HOME") ?? Deno.env.get("HOME") + "/.cache"}/deno`,
    HOME: `${path}/home`,
    ROOT: path,
    SAMPLES: `${ROOT}/interfaces/ocr/v1/conformance`,
    PATH: `${path}/bin:${Deno.env.get("PATH") ?? "/usr/bin:/bin"}`,
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    HANDLER_CONFIG_DIR: `${path}/config`,
    HANDLER_DATA_DIR: `${path}/data`,
    HANDLER_STATE_DIR: `${path}/state`,
    HANDLER_RUNTIME_DIR: `${path}/run`,
    HANDLER_DENO: ownProgram(),
    HANDLER_PORT: "0",
  };
}

function home(path: string, env: Readonly<Record<string, string>>): Home {
  let daemon: Deno.ChildProcess | undefined;
  const stopDaemon = async (signal: "SIGTERM" | "SIGKILL") => {
    if (!daemon) return;
    if (signal === "SIGKILL") endGroup(daemon.pid, signal);
    else if (isAlive(daemon.pid)) Deno.kill(daemon.pid, signal);
    await daemon.status;
    daemon = undefined;
  };
  return {
    path,
    env,
    shell: (command) => run(["/bin/sh", "-c", command], { env, cwd: `${path}/work`, timeoutMs: 120_000 }),
    async startDaemon() {
      const program = await findProgram("handlerd", `${path}/bin`) ?? "handlerd";
      const log = `${path}/state/daemon.out`;
      daemon = start(["/bin/sh", "-c", `exec "${program}" >"${log}" 2>&1`], {
        env,
        cwd: path,
        stdout: "null",
        stderr: "null",
      });
      await answering(`${path}/run/handlerd.sock`, daemon, log);
    },
    stopDaemon,
    async [Symbol.asyncDispose]() {
      await stopDaemon("SIGTERM");
      await Deno.remove(path, { recursive: true });
    },
  };
}

/** Waits until the daemon's socket answers; a daemon that ends first is an error with what it said. */
async function answering(socket: string, daemon: Deno.ChildProcess, log: string): Promise<void> {
  let ended = false;
  void daemon.status.then(() => ended = true);
  for (let tries = 0; tries < 600 && !ended; tries++) {
    try {
      return (await connectUnix(socket)).close();
    } catch {
      await delay(50);
    }
  }
  throw new Error(`handlerd did not answer: ${await Deno.readTextFile(log)}`);
}
