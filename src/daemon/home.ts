import { HandlerError } from "../base/mod.ts";
import {
  checkSocketPath,
  ensureFolder,
  type Folders,
  setMode,
  statIfThere,
  userId,
} from "../platform/mod.ts";

/**
 * Makes the four folders, private to their owner. The runtime folder may lie below /tmp, where anybody could have made
 * it first, so it must be a real folder of this user.
 */
export async function makeHome(folders: Folders): Promise<void> {
  for (const path of [folders.config, folders.data, folders.state, folders.runtime]) await makePrivate(path);
}

async function makePrivate(path: string): Promise<void> {
  try {
    await ensureFolder(path);
  } catch (error) {
    throw new HandlerError("unavailable", `the folder ${path} cannot be made`, { cause: error });
  }
  const info = await statIfThere(path);
  if (!info?.isDirectory) {
    throw new HandlerError("conflict", `${path} must be a folder of its own, not a link or a file`);
  }
  if (info.uid !== null && userId() !== undefined && info.uid !== userId()) {
    throw new HandlerError("denied", `the folder ${path} belongs to another user (id ${info.uid})`);
  }
  if (((info.mode ?? 0) & 0o077) !== 0) await setMode(path, 0o700);
}

/**
 * Makes sure, before anything runs, that the sockets to come fit below the runtime folder: those of callers, by the names
 * of interfaces, and those of connectors, by the names of bindings.
 * @throws {HandlerError} `usage`, with the folder to set
 */
export function checkSocketRoom(
  { runtime }: Pick<Folders, "runtime">,
  interfaces: Iterable<string>,
  bindings: Iterable<string>,
): void {
  checkSocketPath(`${runtime}/c/9999/connector.sock`);
  for (const name of interfaces) checkSocketPath(`${runtime}/s/01234567890/services/${name}.sock`);
  for (const name of bindings) checkSocketPath(`${runtime}/box/connector-${name}-9999/egress/proxy`);
}

/** Files of a home that have one fixed name. */
export function homeFiles(folders: Folders) {
  return {
    /** The local API. */
    socket: `${folders.runtime}/handlerd.sock`,
    lock: `${folders.state}/handlerd.lock`,
    log: `${folders.state}/handlerd.log`,
    store: `${folders.state}/handler.db`,
    apps: `${folders.state}/apps.json`,
    /** Threads, which a person would miss; the folder has their files, one folder a thread. */
    threads: `${folders.data}/threads.db`,
    threadFiles: `${folders.data}/threads`,
    /** Logs and caches of the hosts of projects' code. */
    threadHosts: `${folders.state}/threads`,
    originKey: `${folders.data}/origin.key`,
    /** Folders for calls that a person tries; nothing there outlives the daemon. */
    trials: `${folders.state}/trials`,
    agentLogs: `${folders.state}/sessions`,
    userInterfaces: `${folders.data}/interfaces`,
    userConnectors: `${folders.data}/connectors`,
    /** Which of the person's interfaces the program has found sound. */
    soundInterfaces: `${folders.state}/sound-interfaces.json`,
  } as const;
}
