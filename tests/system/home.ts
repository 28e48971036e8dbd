/**
 * A fresh home with a real daemon process, for tests of the whole: its own folders, its own daemon, nothing of the
 * machine's.
 * @module
 */
import { join } from "node:path";
import { silentLogger, systemClock } from "../../src/base/mod.ts";
import { type Client, connectClient } from "../../src/client/mod.ts";
import { copyTree, ensureFolder, fromFileUrl, walkFiles } from "../../src/platform/mod.ts";
import { buildImage, createSandboxes, type DriverName, imageStatus } from "../../src/sandbox/mod.ts";
import { ROOT } from "../../tools/repository.ts";
import { until } from "./wait.ts";
import { openWire, type Wire } from "./wire.ts";

const FIXTURES = fromFileUrl(new URL("./fixtures", import.meta.url));
const KEPT = ["CONTAINERS_CONF", "DENO_TLS_CA_STORE", "SSL_CERT_FILE", "XDG_CACHE_HOME", "LANG", "TMPDIR"];

/** A daemon that ended, and what it said. */
export interface DaemonEnd {
  readonly code: number;
  readonly output: string;
}

/** A home and its daemon. */
export interface SystemHome extends AsyncDisposable {
  /** Holds `config`, `data`, `state`, `run`, `home` and `work`, the project's folder. */
  readonly path: string;
  readonly work: string;
  /** What a daemon of this home gets of an environment; a test may add to it before it starts one. */
  readonly env: Record<string, string>;
  readonly client: Client;
  /** The process id of the daemon that runs. */
  readonly pid: number;
  /** Writes a file of the configuration; its `apiVersion` is added. */
  write(path: string, text: string): Promise<void>;
  /** Starts the daemon and waits until it is ready. */
  start(): Promise<void>;
  /** Starts one that is to fail, and waits for its end. */
  startInVain(): Promise<DaemonEnd>;
  stop(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  /** What the daemon printed so far, all of its runs. */
  output(): Promise<string>;
  /** The command that starts one of the program's parts. */
  argv(part: string): readonly string[];
  /** Starts one of the program's parts, such as `handler-service`. */
  spawn(part: string, args: readonly string[], stdin?: "piped" | "null"): Deno.ChildProcess;
  /** Opens a socket of an external agent. */
  wire(agent: string, service?: string): Promise<Wire>;
  /** Runs an agent to its end and gives its whole log. */
  run(agent: string, prompt?: string): Promise<string>;
  /** Trusts the person's own interfaces and connectors of these names. */
  trust(...names: readonly string[]): Promise<void>;
}

let found: Promise<DriverName> | undefined;

/** The driver that the tests of the whole use: bubblewrap where it works, else Deno's permissions. */
export function driverHere(): Promise<DriverName> {
  return found ??= (async () => {
    const folder = await Deno.makeTempDir({ prefix: "hd-" });
    const sandboxes = createSandboxes({
      log: silentLogger,
      clock: systemClock,
      runtimeFolder: folder,
      stateFolder: folder,
      instanceId: "probe",
      config: { sandbox: "bubblewrap", image: undefined, egress: { caFile: undefined, dial: {} } },
      deno: Deno.execPath(),
      guestFolder: join(ROOT, "build/guest"),
      onConnect: () => () => {},
      onEgress: () => {},
    });
    const { works } = await sandboxes.driver("bubblewrap").probe();
    await Deno.remove(folder, { recursive: true });
    return works ? "bubblewrap" : "deno";
  })();
}

/** Whether podman works here with an image, which is built where it is all that lacks. */
export async function podmanWorks(): Promise<boolean> {
  try {
    const { present } = await imageStatus({ named: undefined });
    if (present.length === 0) await buildImage({ deno: Deno.execPath() });
    return true;
  } catch {
    return false;
  }
}

/** How a home is laid. */
export interface HomeOptions {
  readonly driver?: DriverName;
  /** More of `config.toml`. */
  readonly config?: string;
  /** More configuration files. */
  readonly files?: Readonly<Record<string, string>>;
  /** A folder to use in place of a new one below /tmp. */
  readonly at?: string;
  /** The Deno that the program runs on in place of this one, where it is not compiled. */
  readonly deno?: string;
}

/**
 * Lays a home: the interface and connector `probe` of the person's own, a binding `probe` of it, the project `desk`, and
 * the external agent `desk` that uses it. No daemon runs yet.
 */
export async function layHome(options: HomeOptions = {}): Promise<SystemHome> {
  const path = options.at ?? await Deno.realPath(await Deno.makeTempDir({ prefix: "hy-" }));
  for (const name of ["config", "data", "state", "run", "home", "work"]) {
    await ensureFolder(`${path}/${name}`);
  }
  const home = new Home(path, options.deno ?? Deno.execPath());
  await layProbe(path);
  const driver = options.driver ?? await driverHere();
  const deno = driver === "deno" ? 'denoDriverFor = ["probe", "desk", "clerk"]\n' : "";
  await home.write("config.toml", `sandbox = "${driver}"\n${deno}${options.config ?? ""}`);
  await home.write("projects/desk.toml", `path = "${path}/work"\n`);
  await home.write("bindings/probe.toml", 'connector = "probe"\n');
  await home.write("agents/desk.toml", externalAgent("probe"));
  for (const [name, text] of Object.entries(options.files ?? {})) await home.write(name, text);
  return home;
}

/** As {@linkcode layHome}, with its daemon started and `probe` trusted. */
export async function startHome(options: HomeOptions = {}): Promise<SystemHome> {
  const home = await layHome(options);
  try {
    await home.start();
    await home.trust("probe/v1", "probe");
    return home;
  } catch (error) {
    await home[Symbol.asyncDispose]();
    throw error;
  }
}

/** The TOML of an agent outside any sandbox that uses `probe` through these bindings. */
export function externalAgent(...bindings: readonly string[]): string {
  return `project = "desk"\nharness = "external"\nservices = { probe = ${JSON.stringify(bindings)} }\n`;
}

/** The TOML of an agent that runs a shell script in its sandbox. */
export function shellAgent(script: string, services = 'services = { probe = "probe" }'): string {
  const command = JSON.stringify(["/bin/sh", "-c", script, "agent"]);
  return `project = "desk"\nharness = "command"\ncommand = ${command}\n${services}\n`;
}

async function layProbe(path: string): Promise<void> {
  await ensureFolder(`${path}/data/interfaces`);
  await copyTree(`${FIXTURES}/interfaces`, `${path}/data/interfaces`);
  await layConnector(path, "probe");
}

/** Puts a connector of the fixtures into a home, under another name and manifest where given. */
export async function layConnector(
  path: string,
  fixture: string,
  name = fixture,
  change = (manifest: string) => manifest,
): Promise<void> {
  const folder = `${path}/data/connectors/${name}`;
  await layConnectorFrom(`${FIXTURES}/connectors/${fixture}`, folder);
  const [head, ...tables] = (await Deno.readTextFile(`${folder}/connector.toml`)).split("\n\n");
  const own = change(head!.replace(`name = "${fixture}"`, `name = "${name}"`));
  await Deno.writeTextFile(`${folder}/connector.toml`, [own, ...tables].join("\n\n"));
}

/** Puts a connector with the kit beside it into a folder. */
export async function layConnectorFrom(from: string, folder: string): Promise<void> {
  await ensureFolder(`${folder}/kit`);
  await copyTree(from, folder);
  await Deno.copyFile(`${ROOT}/build/guest/kit.js`, `${folder}/kit/mod.js`);
  const imports = { "@handler/connector": "./kit/mod.js" };
  await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ imports }));
}

function environment(path: string): Record<string, string> {
  const kept = KEPT.map((name) => [name, Deno.env.get(name)]).filter(([, value]) => value !== undefined);
  const cache = Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`;
  return {
    ...Object.fromEntries(kept),
    DENO_DIR: Deno.env.get("DENO_DIR") ?? `${cache}/deno`,
    HOME: `${path}/home`,
    PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
    NO_COLOR: "1",
    HANDLER_CONFIG_DIR: `${path}/config`,
    HANDLER_DATA_DIR: `${path}/data`,
    HANDLER_STATE_DIR: `${path}/state`,
    HANDLER_RUNTIME_DIR: `${path}/run`,
    HANDLER_DENO: Deno.execPath(),
    HANDLER_PORT: "0",
  };
}

const KINDS: Readonly<Record<string, string>> = {
  agents: "agent",
  bindings: "binding",
  projects: "project",
};

/** Longer than handlerd itself takes at most. */
const END_MS = 60_000;

class Home implements SystemHome {
  readonly path: string;
  readonly env: Record<string, string>;
  #daemon: Deno.ChildProcess | undefined;
  #client: Client | undefined;
  #starts = 0;

  readonly #deno: string;

  constructor(path: string, deno: string) {
    this.path = path;
    this.#deno = deno;
    this.env = environment(path);
  }

  get work(): string {
    return `${this.path}/work`;
  }

  get client(): Client {
    return this.#client ??= connectClient(`${this.env.HANDLER_RUNTIME_DIR}/handlerd.sock`);
  }

  get pid(): number {
    if (!this.#daemon) throw new Error("no daemon runs");
    return this.#daemon.pid;
  }

  async write(path: string, text: string): Promise<void> {
    const kind = KINDS[path.split("/")[0]!] ?? "config";
    await ensureFolder(join(this.path, "config", path, ".."));
    await Deno.writeTextFile(`${this.path}/config/${path}`, `apiVersion = "handler.${kind}/v1"\n${text}`);
  }

  async start(): Promise<void> {
    const { child, output } = this.#spawnDaemon();
    this.#daemon = child;
    let ended = false;
    void child.status.then(() => ended = true);
    await until("handlerd to be ready", async () => {
      if (ended) return true;
      return / is ready/.test(await Deno.readTextFile(output));
    });
    if (ended) throw new Error(`handlerd ended: ${await Deno.readTextFile(output)}`);
  }

  async startInVain(): Promise<DaemonEnd> {
    const { child, output } = this.#spawnDaemon();
    const limit = setTimeout(() => child.kill("SIGKILL"), 30_000);
    const { code } = await child.status;
    clearTimeout(limit);
    return { code, output: await Deno.readTextFile(output) };
  }

  /** The output goes to a file, which a killed daemon leaves whole; the shell is replaced by the daemon. */
  #spawnDaemon(): { child: Deno.ChildProcess; output: string } {
    const output = `${this.path}/home/daemon.${++this.#starts}`;
    Deno.writeTextFileSync(output, "");
    const child = new Deno.Command("/bin/sh", {
      args: ["-c", 'out=$1; shift; exec "$@" >"$out" 2>&1', "sh", output, ...this.argv("handlerd")],
      env: this.env,
      clearEnv: true,
      cwd: this.path,
      stdin: "null",
    }).spawn();
    return { child, output };
  }

  async stop(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    this.#client?.[Symbol.dispose]();
    this.#client = undefined;
    const daemon = this.#daemon;
    this.#daemon = undefined;
    if (!daemon) return;
    let late = false;
    const limit = setTimeout(() => (late = true, daemon.kill("SIGKILL")), END_MS);
    try {
      daemon.kill(signal);
    } catch {
      // it has ended by itself
    }
    await daemon.status;
    clearTimeout(limit);
    if (late) {
      throw new Error(`handlerd did not end within ${END_MS} ms of ${signal}:\n${await this.output()}`);
    }
  }

  async output(): Promise<string> {
    const files = Array.from({ length: this.#starts }, (_, i) => `${this.path}/home/daemon.${i + 1}`);
    return (await Promise.all(files.map((file) => Deno.readTextFile(file)))).join("");
  }

  argv(part: string): readonly string[] {
    return program(part, this.#deno);
  }

  spawn(part: string, args: readonly string[], stdin: "piped" | "null" = "piped"): Deno.ChildProcess {
    const [command, ...rest] = this.argv(part);
    return new Deno.Command(command!, {
      args: [...rest, ...args],
      env: this.env,
      clearEnv: true,
      cwd: this.path,
      stdin,
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  }

  async wire(agent: string, service = "probe"): Promise<Wire> {
    const { folder } = await this.client.externalServices(agent);
    return await openWire(`${folder}/${service}.sock`);
  }

  async run(agent: string, prompt?: string): Promise<string> {
    const { id } = await this.client.run(agent, prompt ?? null);
    const decoder = new TextDecoder();
    let log = "";
    const limit = AbortSignal.timeout(120_000);
    for await (const bytes of this.client.sessionLog(id, 0, true, limit)) {
      log += decoder.decode(bytes, { stream: true });
    }
    return log;
  }

  async trust(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      for (const { kind, name: whole, hash } of await this.client.trustShow(name)) {
        if (whole === name) await this.client.trustSet(kind, whole, hash);
      }
    }
  }

  /** Stops the daemon, ends what its sessions left, removes the folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      if (this.#daemon) await endSessions(this.client);
    } finally {
      await this.stop("SIGTERM");
      await Deno.remove(this.path, { recursive: true });
    }
  }
}

async function endSessions(client: Client): Promise<void> {
  const open = await client.sessions(false).catch(() => []);
  for (const { id } of open) await client.sessionStop(id).catch(() => {});
}

/** How a part of the program is started: from the compiled file where HANDLER_UNDER_TEST names one, else from source. */
function program(part: string, deno: string): string[] {
  const compiled = Deno.env.get("HANDLER_UNDER_TEST");
  return compiled ? [compiled, part] : [deno, "run", "--quiet", "-A", `${ROOT}/main.ts`, part];
}

/** Every file below a folder, by its path. */
export async function filesBelow(path: string): Promise<readonly string[]> {
  return (await walkFiles(path)).filter(({ kind }) => kind === "file").map((entry) =>
    `${path}/${entry.path}`
  );
}
