import { dirname } from "node:path";
import { errorText, HandlerError, newId, utf8Text, within } from "../../base/mod.ts";
import {
  closeQuietly,
  type Connection,
  connectUnix,
  ensureFolder,
  pinSocket,
  readTextIfThere,
  removeQuietly,
  setMode,
  statIfThere,
  tailOfFile,
  writeAtomic,
} from "../../platform/mod.ts";
import type { Sandbox } from "../../sandbox/mod.ts";
import { agentsMark, copyAgents } from "./agents_folder.ts";
import { readyCache } from "./cache_folder.ts";
import { hostConfig, hostSandbox } from "./host_sandbox.ts";
import { HostLink } from "./link.ts";
import { LiveHost } from "./live_host.ts";
import { boundLog } from "./log_bound.ts";
import type { ThreadHostsPorts } from "./ports.ts";
import { Pulse } from "./pulse.ts";
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
  const logged = (await statIfThere(places.log))?.size ?? 0;
  const end = async (graceMs: number) => {
    if (connection) closeQuietly(connection);
    await sandbox?.stop(graceMs).catch((error) => ports.log.log("warn", errorText(error)));
    unbound();
    await removeQuietly(places.root);
  };
  try {
    await makePlaces(places);
    const copying = copyAgents(input.folder, places.agents);
    copying.catch(() => {}); // while the sandbox comes up
    const name = `threads-${input.project}-${serial}`;
    sandbox = await ports.startSandbox(
      hostSandbox({ name, project: input.project, ...places, logFile: places.log }),
    );
    await copying;
    connection = await connect(sandbox, places.socket);
    const host: { live?: LiveHost } = {};
    const link = new HostLink(connection, {
      clock: ports.clock,
      rests: input.rests,
      stuck: () => host.live?.kill("a function did not end within 5 s after it was stopped"),
    });
    const ready = checkReady(await within(START_LIMIT_MS, "loading the definitions", link.ready));
    const { exited } = sandbox;
    const lastWords = () => lastWordsOf(places.log, logged);
    const pulse = pulseOf(ports, input.project, link, sandbox, () => host.live?.spins(ports.spinCpuMs));
    return host.live = new LiveHost({
      clock: ports.clock,
      link,
      pulse,
      ...ready,
      mark,
      exited,
      end,
      lastWords,
    });
  } catch (error) {
    await end(0);
    throw withLastWords(input.project, error, lastWordsOf(places.log, logged));
  }
}

function pulseOf(
  { clock, log, spinCpuMs }: ThreadHostsPorts,
  project: string,
  link: HostLink,
  sandbox: Sandbox,
  end: () => void,
): Pulse {
  return new Pulse({
    clock,
    limitMs: spinCpuMs,
    link,
    cpuMs: () => sandbox.cpuMs(),
    spins() {
      log.log("warn", `a function of ${project} spins: its process is ended`, { turns: link.turnsBegun });
      end();
    },
    unknown: () =>
      log.log("warn", `whether a function of ${project} spins is not known here: its turn ends at its limit`),
  });
}

function placesOf({ runtimeFolder, stateFolder }: ThreadHostsPorts, project: string, serial: string): Places {
  const root = `${runtimeFolder}/${serial}`;
  return {
    root,
    run: `${root}/r`,
    socket: `${root}/r/threads.sock`,
    agents: `${root}/agents`,
    config: `${stateFolder}/host.json`,
    cache: `${stateFolder}/cache/${project}`,
    log: `${stateFolder}/log/${project}.log`,
  };
}

/** The folders above are the daemon's alone; the sandbox's user may be another one. */
async function makePlaces({ run, agents, cache, log, config }: Places): Promise<void> {
  await Promise.all([ensureFolder(run), ensureFolder(agents), ensureFolder(dirname(log)), readyCache(cache)]);
  await Promise.all([setMode(run, 0o777), setMode(agents, 0o755), writeConfig(config)]);
}

/** The same for all hosts of this build. */
async function writeConfig(path: string): Promise<void> {
  const text = hostConfig();
  if (await readTextIfThere(path) !== text) await writeAtomic(path, text, 0o644);
}

/** A host that is connected to loads its definitions, not before: what stands at its socket until then is its own. */
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

/** The end of a log from where a host began to write it; others of the project write there too. */
function lastWordsOf(log: string, from: number): string {
  const tail = utf8Text(tailOfFile(log, LAST_WORDS_BYTES, from));
  return tail.trimEnd().split("\n").slice(-LAST_LINES).join("\n");
}

function withLastWords(project: string, error: unknown, hint: string): HandlerError {
  if (error instanceof HandlerError && (error.hint || error.kind === "invalid")) return error;
  const kind = error instanceof HandlerError ? error.kind : "unavailable";
  return new HandlerError(kind, `the thread host of ${project} does not come up: ${errorText(error)}`, {
    ...(hint === "" ? {} : { hint }),
    cause: error,
  });
}
