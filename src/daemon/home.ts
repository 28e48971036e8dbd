import { HandlerError } from "../base/mod.ts";
import { ensureFolder, type Folders, setMode, statIfThere, userId } from "../platform/mod.ts";

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

/** Files of a home that have one fixed name. */
export function homeFiles(folders: Folders) {
  return {
    /** The local API. */
    socket: `${folders.runtime}/handlerd.sock`,
    lock: `${folders.state}/handlerd.lock`,
    log: `${folders.state}/handlerd.log`,
    store: `${folders.state}/handler.db`,
    apps: `${folders.state}/apps.json`,
    agentLogs: `${folders.state}/sessions`,
    userInterfaces: `${folders.data}/interfaces`,
    userConnectors: `${folders.data}/connectors`,
  } as const;
}
