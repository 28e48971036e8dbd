import { ensureFolder, listFolder, removeAll, setMode, statIfThere } from "../../platform/mod.ts";

const MOST_BYTES = 128 * 1024 * 1024;
const MOST_ENTRIES = 20_000;

/**
 * Deno's cache of a project's definitions, with which a host starts in half the time. Project code can write there, so
 * that one which has grown beyond all need is thrown away.
 */
export async function readyCache(path: string): Promise<void> {
  if (!await isSmall(path, { bytes: MOST_BYTES, entries: MOST_ENTRIES })) await removeAll(path);
  await ensureFolder(path);
  await setMode(path, 0o777); // the sandbox's user may be another one
}

async function isSmall(path: string, left: { bytes: number; entries: number }): Promise<boolean> {
  for (const { name, kind } of await listFolder(path)) {
    const inside = `${path}/${name}`;
    if (--left.entries < 0) return false;
    if (kind === "folder" && !await isSmall(inside, left)) return false;
    if (kind === "file") left.bytes -= (await statIfThere(inside))?.size ?? 0;
    if (left.bytes < 0) return false;
  }
  return true;
}
