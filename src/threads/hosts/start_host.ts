import { errorText, HandlerError, newId, utf8Text, within } from "../../base/mod.ts";
import {
  closeQuietly,
  type Connection,
  connectUnix,
  ensureFolder,
  pinSocket,
  removeQuietly,
  setMode,
  statIfThere,
  tailOfFile,
  writeAtomic,
} from "../../platform/mod.ts";
import type { Sandbox } from "../../sandbox/mod.ts";
import { agentsMark, copyAgents } from "./agents_folder.ts";
import { hostConfig, hostSandbox } from "./host_sandbox.ts";
import { HostLink } from "./link.ts";
import { LiveHost } from "./live_host.ts";
import { boundLog } from "./log_bound.ts";
import type { ThreadHostsPorts } from "./ports.ts";
import { checkReady } from "./ready.ts";

/** A host gets this long from its start to its definitions. */
const START_LIMIT_MS = 30_000;
const LAST_WORDS_BYTES = 4096;
const LAST_LINES = 12;

/** What a host is started for. */
export interface HostInput {
  readonly project: string;
  /** The project's folder. */
  readonly folder: string;
  /** The last run of the host has ended. */
  readonly rests: () => void;
}

/** Where things of one host lie on this machine. */
interface Places {
  readonly root: string;
  /** The sandbox's own, with the socket. */
  readonly run: string;
  readonly socket: string;
  readonly agents: string;
  readonly config: string;
  readonly cache: string;
  readonly log: string;
}

/**
 * Starts a project's host and waits until its definitions are loaded; whether they are right is the caller's to see.
 * @throws {HandlerError} no definitions, or `unavailable` with the last lines of its log
 */
export async function startHost(ports: ThreadHostsPorts, input: HostInput): Promise<LiveHost> {
  const mark = agentsMark(input.folder);
  const serial = newId().slice(-11);
  const places = placesOf(ports, input.project, serial);
  let sandbox: Sandbox | undefined, connection: Connection | undefined;
  const unbound = boundLog(ports, places.log);
  const end = async (graceMs: number) => {
    if (connection) closeQuietly(connection);
    await sandbox?.stop(graceMs).catch((error) => ports.log.log("warn", errorText(error)));
    unbound();
    await removeQuietly(places.root);
  };
  try {
    await makePlaces(places, input.folder);
    const name = `threads-${input.project}-${serial}`;
    sandbox = await ports.startSandbox(
      hostSandbox({ name, project: input.project, ...places, logFile: places.log }),
    );
    connection = await connect(sandbox, places.socket);
    const host: { live?: LiveHost } = {};
    const link = new HostLink(connection, {
      clock: ports.clock,
      rests: input.rests,
      stuck: () => host.live?.kill("a function did not end within 5 s after it was stopped"),
    });
    const ready = checkReady(await within(START_LIMIT_MS, "loading the definitions", link.ready));
    const { exited } = sandbox;
    const lastWords = () => lastWordsOf(places.log);
    return host.live = new LiveHost({ clock: ports.clock, link, ...ready, mark, exited, end, lastWords });
  } catch (error) {
    await end(0);
    throw withLastWords(input.project, error, places.log);
  }
}

function placesOf({ runtimeFolder, stateFolder }: ThreadHostsPorts, project: string, serial: string): Places {
  const root = `${runtimeFolder}/${serial}`;
  return {
    root,
    run: `${root}/r`,
    socket: `${root}/r/threads.sock`,
    agents: `${root}/agents`,
    config: `${root}/threads.json`,
    cache: `${stateFolder}/cache/${project}`,
    log: `${stateFolder}/log/${project}.log`,
  };
}

/** The folders above are the daemon's alone; the sandbox's user may be another one. */
async function makePlaces(places: Places, folder: string): Promise<void> {
  await Promise.all([
    ensureFolder(places.run),
    ensureFolder(places.cache),
    ensureFolder(dirnameOf(places.log)),
  ]);
  await Promise.all([
    setMode(places.run, 0o777),
    setMode(places.cache, 0o777),
    copyAgents(folder, places.agents),
    writeAtomic(places.config, hostConfig(), 0o644),
  ]);
}

function dirnameOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** The socket stands there before the first definition is loaded, so what is found is the host's own. */
async function connect(sandbox: Sandbox, socket: string): Promise<Connection> {
  let ended: string | undefined;
  void sandbox.exited.then(({ code, reason }) =>
    ended = `it ended with ${code} (${reason}) before it answered`
  );
  const end = performance.now() + START_LIMIT_MS;
  while (performance.now() < end) {
    if (ended !== undefined) throw new HandlerError("unavailable", ended);
    if ((await statIfThere(socket))?.isSocket) {
      using pin = pinSocket(socket);
      const connection = await connectUnix(pin.path).catch(() => undefined);
      if (connection) return connection;
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  throw new HandlerError("timeout", `it did not answer within ${START_LIMIT_MS / 1000} s`);
}

function lastWordsOf(log: string): string {
  return utf8Text(tailOfFile(log, LAST_WORDS_BYTES)).trimEnd().split("\n").slice(-LAST_LINES).join("\n");
}

function withLastWords(project: string, error: unknown, log: string): HandlerError {
  if (error instanceof HandlerError && (error.hint || error.kind === "invalid")) return error;
  const hint = lastWordsOf(log);
  const kind = error instanceof HandlerError ? error.kind : "unavailable";
  return new HandlerError(kind, `the thread host of ${project} does not come up: ${errorText(error)}`, {
    ...(hint === "" ? {} : { hint }),
    cause: error,
  });
}
