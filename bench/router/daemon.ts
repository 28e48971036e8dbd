import { type Client, connectClient } from "../../src/client/mod.ts";
import { connectUnix, findProgram, type Folders, listFolder, statIfThere } from "../../src/platform/mod.ts";
import { ROOT } from "../../tools/repository.ts";
import { launch } from "../measure/program.ts";
import { Caller } from "./caller.ts";

/** How handlerd is started: from source, or the compiled file. */
export interface HandlerProgram {
  readonly kind: "source" | "compiled";
  readonly argv: readonly string[];
}

/** Handlerd from this checkout's source. */
export const SOURCE: HandlerProgram = {
  kind: "source",
  argv: [Deno.execPath(), "run", "-A", "--no-check", `${ROOT}/main.ts`],
};

/** The strictest driver that starts quickly and is on this machine. */
export async function quickDriver(): Promise<string> {
  return await findProgram("bwrap") ? "bubblewrap" : "deno";
}

/** `handler-service` as a sandbox has it: the bundle, or the compiled file under that name. */
export async function serviceCommand(
  { kind, argv: [file = ""] }: HandlerProgram,
): Promise<readonly string[]> {
  if (kind === "source") {
    return [Deno.execPath(), "run", "-A", "--no-config", `${ROOT}/build/guest/service.js`];
  }
  const beside = `${file.replace(/\/[^/]+$/, "")}/handler-service`;
  return await statIfThere(beside) ? [beside] : [file, "handler-service"];
}

/** A handlerd of the bench, in a process of its own. */
export interface BenchDaemon extends AsyncDisposable {
  readonly pid: number;
  /** Milliseconds from the start of its process until it said that it was ready. */
  readonly readyMs: number;
  readonly client: Client;
  readonly runtime: string;
  /** The folder of an external agent's sockets. */
  services(agent: string): Promise<string>;
  /** A connection to one of an agent's services, after the handshake. */
  connect(agent: string, service: string): Promise<Caller>;
  /** The socket of the connectors that run now. */
  connectorSockets(): Promise<readonly string[]>;
}

/** What a daemon is started with. */
export interface DaemonOptions {
  readonly program: HandlerProgram;
  readonly driver: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts handlerd over a home and waits until it is ready. */
export async function startHandlerd(folders: Folders, options: DaemonOptions): Promise<BenchDaemon> {
  const { program, driver, env } = options;
  const running = await launch([...program.argv, "handlerd", "--sandbox", driver], {
    stream: "stderr",
    line: /is ready/,
    limitMs: 60_000,
  }, {
    cwd: ROOT,
    inheritEnv: true,
    env: {
      ...env,
      HANDLER_CONFIG_DIR: folders.config,
      HANDLER_DATA_DIR: folders.data,
      HANDLER_STATE_DIR: folders.state,
      HANDLER_RUNTIME_DIR: folders.runtime,
      HANDLER_PORT: "0",
    },
  });
  const client = connectClient(`${folders.runtime}/handlerd.sock`);
  const services = async (agent: string) => (await client.externalServices(agent)).folder;
  return {
    pid: running.pid,
    readyMs: running.readyMs,
    client,
    runtime: folders.runtime,
    services,
    connect: async (agent, service) => await callerAt(`${await services(agent)}/${service}.sock`),
    connectorSockets: async () =>
      (await listFolder(`${folders.runtime}/c`)).map(({ name }) =>
        `${folders.runtime}/c/${name}/connector.sock`
      ),
    [Symbol.asyncDispose]: async () => {
      client[Symbol.dispose]();
      await running[Symbol.asyncDispose]();
    },
  };
}

/** Says yes to what the bench itself laid into the home. */
export async function trustAll(client: Client, names: readonly string[]): Promise<void> {
  for (const name of names) {
    for (const { kind, name: id, hash } of await client.trustShow(name)) {
      await client.trustSet(kind, id, hash);
    }
  }
  await client.reload();
}

/** A client of a socket that speaks MCP, after the handshake. */
export async function callerAt(path: string): Promise<Caller> {
  const caller = new Caller(await connectUnix(path));
  await caller.hello();
  return caller;
}
