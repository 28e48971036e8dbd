import {
  canWriteIn,
  checkSocketPath,
  type Folders,
  freeBytes,
  PLACES,
  statIfThere,
  userId,
} from "../platform/mod.ts";
import { errorText } from "../base/mod.ts";
import { dirname } from "node:path";
import { type Check, failed, type Finding, ok, warning } from "./check.ts";

/** The folders, what may be written in them, and the room on their disks. */
export function folderChecks(folders: Folders): readonly Check[] {
  return [
    ...PLACES.map(({ name, variable }): Check => ({
      name: `folder ${name}`,
      run: () => folder(folders[name], variable, name === "config"),
    })),
    { name: "socket", run: () => Promise.resolve(socket(folders.runtime)) },
    { name: "disk", run: () => disk(folders) },
  ];
}

async function folder(path: string, variable: string, mayBeRead: boolean): Promise<Finding> {
  const info = await statIfThere(path);
  if (!info) return await toBeMade(path, variable);
  if (!info.isDirectory) return failed(`${path} is no folder`, `move what is there away, or set ${variable}`);
  if (info.uid !== null && userId() !== undefined && info.uid !== userId()) {
    return failed(`${path} belongs to another user (id ${info.uid})`, `sudo chown -R ${userId()} ${path}`);
  }
  if (!await canWriteIn(path)) return failed(`nothing can be written in ${path}`, `chmod u+rwx ${path}`);
  const mode = (info.mode ?? 0) & 0o777;
  if (mayBeRead || (mode & 0o077) === 0) return ok(path);
  return warning(`${path} can be read by others (mode ${mode.toString(8)})`, `chmod 700 ${path}`);
}

async function toBeMade(path: string, variable: string): Promise<Finding> {
  const parent = await nearestThere(path);
  if (await canWriteIn(parent)) return ok(`${path} is made at the first start`);
  return failed(
    `${path} cannot be made: nothing can be written in ${parent}`,
    `set ${variable} to another folder`,
  );
}

async function nearestThere(path: string): Promise<string> {
  let at = dirname(path);
  while (at !== "/" && !await statIfThere(at)) at = dirname(at);
  return at;
}

function socket(runtime: string): Finding {
  try {
    checkSocketPath(`${runtime}/handlerd.sock`);
    return ok(`${runtime}/handlerd.sock`);
  } catch (error) {
    return failed(errorText(error), "set HANDLER_RUNTIME_DIR to a shorter folder");
  }
}

const [LITTLE, NONE] = [2 << 30, 200 << 20];

async function disk({ data, state }: Folders): Promise<Finding> {
  const rooms = await Promise.all([data, state].map(async (path) => {
    const there = await statIfThere(path) ? path : await nearestThere(path);
    return { path, free: await freeBytes(there) };
  }));
  const known = rooms.filter((room): room is { path: string; free: number } => room.free !== undefined);
  const least = known.toSorted((a, b) => a.free - b.free)[0];
  if (!least) return ok("the system does not say how much room there is");
  const text = `${(least.free / 1e9).toFixed(1)} GB are free for ${least.path}`;
  if (least.free < NONE) return failed(text, "make room: records and copies of apps need some");
  return least.free < LITTLE
    ? warning(text, "make room: an image, a model or a backup of an app may not fit")
    : ok(text);
}
