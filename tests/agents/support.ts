import { join } from "node:path";
import { type Agents, createAgents, createGuestBin, type ServicesPort } from "../../src/agents/mod.ts";
import { HandlerError, type Logger, makeLogger, systemClock } from "../../src/base/mod.ts";
import { type Configuration, loadConfiguration } from "../../src/config/mod.ts";
import { type Connection, type Folders, listenUnix, privateUmask } from "../../src/platform/mod.ts";
import { createSandboxes, type DriverName, INSIDE, type Sandboxes } from "../../src/sandbox/mod.ts";
import { createSecrets, type Secrets } from "../../src/secrets/mod.ts";
import { openStore, type Store } from "../../src/store/mod.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** What a daemon has of agents, over a home that another one may have used before. */
export interface Daemon {
  readonly folders: Folders;
  readonly agents: Agents;
  readonly secrets: Secrets;
  readonly store: Store;
  readonly sandboxes: Sandboxes;
  readonly lines: readonly string[];
  /** Reads the configuration again. */
  reload(): Promise<void>;
  /** As an orderly stop does. */
  close(): Promise<void>;
}

/** Starts what a daemon has of agents; the services are sockets that say who calls. */
export async function startDaemon(home: string, driver: DriverName = "bubblewrap"): Promise<Daemon> {
  privateUmask();
  const folders = foldersOf(home);
  const lines: string[] = [];
  const log = makeLogger((level, message, fields) =>
    lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  );
  const store = await openStore({ path: join(folders.state, "handler.db"), clock: systemClock, log });
  const secrets = createSecrets({ dataFolder: folders.data, clock: systemClock, log, keyring: "never" });
  const sandboxes = makeSandboxes(folders, log);
  let configuration = await loadConfiguration(folders.config);
  const agents = createAgents({
    configuration: () => configuration,
    sandboxes: {
      chosen: () => Promise.resolve(sandboxes.driver(driver)),
      adopt: (name, ...rest) => sandboxes.driver(name).adopt(...rest),
      pastExit: (name, ...rest) => sandboxes.driver(name).pastExit(...rest),
    },
    services: greetingServices(() => configuration),
    guest: createGuestBin({
      stateFolder: folders.state,
      bundleFolder: join(ROOT, "build/guest"),
      compiledProgram: undefined,
      denoInside: (name) => name === "deno" ? Deno.execPath() : INSIDE.deno,
    }),
    secrets,
    store,
    folders,
    clock: systemClock,
    log,
  });
  return {
    folders,
    agents,
    secrets,
    store,
    sandboxes,
    lines,
    reload: async () => void (configuration = await loadConfiguration(folders.config)),
    async close() {
      await agents.close();
      store.close();
    },
  };
}

/** The four folders below a test's home. */
export function foldersOf(home: string): Folders {
  const below = (name: string) => join(home, "handler", name);
  return { config: below("config"), data: below("data"), state: below("state"), runtime: below("run") };
}

function makeSandboxes(folders: Folders, log: Logger): Sandboxes {
  return createSandboxes({
    log,
    clock: systemClock,
    runtimeFolder: folders.runtime,
    stateFolder: folders.state,
    instanceId: crypto.randomUUID(),
    config: { sandbox: "bubblewrap", image: undefined, egress: { caFile: undefined, dial: {} } },
    deno: Deno.execPath(),
    guestFolder: join(ROOT, "build/guest"),
    onEgress: () => {},
    onConnect: () => () => {},
  });
}

/** Sockets that greet each connection with the caller, its session and its selection, and echo what they are sent. */
function greetingServices(configuration: () => Configuration): ServicesPort {
  return {
    check: ({ selection }) => {
      const unknown = Object.values(selection).flat().filter((name) => !configuration().bindings.has(name));
      return Promise.resolve(
        unknown.map((name) => new HandlerError("invalid", `there is no binding ${name}`)),
      );
    },
    async open(caller, folder) {
      const names = Object.keys(caller.selection());
      const listeners = await Promise.all(names.map((name) => listenUnix(join(folder, `${name}.sock`))));
      const open = new Set<Connection>();
      for (const [index, listener] of listeners.entries()) {
        const name = names[index]!;
        void (async () => {
          for await (const connection of listener) {
            open.add(connection);
            const greeting = `${caller.id} ${caller.session} ${caller.selection()[name]}\n`;
            await connection.write(new TextEncoder().encode(greeting)).catch(() => {});
          }
        })();
      }
      return {
        interfaces: names.map((name) => ({ name, id: `${name}/v1`, skill: `# How to use ${name}\n` })),
        close() {
          listeners.forEach((listener) => listener.close());
          open.forEach((connection) => connection.close());
          return Promise.resolve();
        },
      };
    },
  };
}

/** A fresh home with a project `books`, whose work folder is `work`, and agents by name with their TOML. */
export async function makeHome(agents: Readonly<Record<string, string>>): Promise<string> {
  const home = await Deno.realPath(await Deno.makeTempDir({ prefix: "ha-" }));
  const { config } = foldersOf(home);
  await Deno.mkdir(join(home, "work"));
  const write = async (path: string, text: string) => {
    await Deno.mkdir(join(config, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(config, path), text);
  };
  await write("config.toml", 'apiVersion = "handler.config/v1"\n');
  for (const name of ["scans", "other"]) {
    await write(
      `bindings/${name}.toml`,
      'apiVersion = "handler.binding/v1"\nconnector = "ocr-tesseract"\ndescription = "OCR"\n',
    );
  }
  await write(
    "projects/books.toml",
    `apiVersion = "handler.project/v1"\npath = "${home}/work"\nrequires = ["ocr/v1"]\n`,
  );
  for (const [name, text] of Object.entries(agents)) {
    await write(`agents/${name}.toml`, `apiVersion = "handler.agent/v1"\nproject = "books"\n${text}\n`);
  }
  return home;
}

/** The TOML of an agent that runs a shell script and uses OCR. */
export function shellAgent(script: string, more = ""): string {
  const command = JSON.stringify(["/bin/sh", "-c", script, "agent"]);
  return `harness = "command"\ncommand = ${command}\nservices = { ocr = "scans" }\n${more}`;
}

/** A shell command that connects to the OCR socket and prints the first line that comes. */
export const GREETED =
  `/opt/handler/deno eval --ext=js 'const c = await Deno.connect({ transport: "unix", path: ` +
  `Deno.env.get("HANDLER_SERVICES") + "/ocr.sock" }); const b = new Uint8Array(999); ` +
  `console.log(new TextDecoder().decode(b.subarray(0, await c.read(b))).trim())'`;

/** All of a session's log, from its beginning to its end. */
export async function logOf(agents: Agents, id: string, follow = true): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const { bytes } of agents.attach(id, { offset: 0, follow })) {
    text += decoder.decode(bytes, { stream: true });
  }
  return text;
}

/** Follows a session's log until it holds a text; gives the log so far. */
export async function logUntil(agents: Agents, id: string, wanted: string): Promise<string> {
  const signal = AbortSignal.timeout(20_000);
  let text = "";
  for await (const { bytes } of agents.attach(id, { offset: 0, follow: true, signal })) {
    text += new TextDecoder().decode(bytes);
    if (text.includes(wanted)) return text;
  }
  throw new Error(`the log ended without ${JSON.stringify(wanted)}: ${text}`);
}

/** Runs a test in a home that is removed afterwards, with whatever still runs in it. */
export async function inHome(
  agents: Readonly<Record<string, string>>,
  work: (daemon: Daemon, home: string) => Promise<void>,
  driver: DriverName = "bubblewrap",
): Promise<void> {
  const home = await makeHome(agents);
  const daemon = await startDaemon(home, driver);
  try {
    await work(daemon, home);
  } finally {
    await daemon.close();
    await daemon.sandboxes.driver(driver).reap([]);
    await Deno.remove(home, { recursive: true });
  }
}
