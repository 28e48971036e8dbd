import { dirname } from "node:path";
import { concatBytes, HandlerError, newId, sha256Hex, utf8, utf8Text } from "../base/mod.ts";
import {
  ensureFolder,
  isMissing,
  listFolder,
  removeQuietly,
  rename,
  statIfThere,
  walkFiles,
} from "./files.ts";

/*
 * A pack is folders in one file: a line of JSON (`[path, size, sha256]` for each file), a newline, then the files' bytes in
 * that order. The compiled program carries one: `deno compile` would take the modules in a folder for its own.
 */

/** One file of a pack: its path with `/`, its size in bytes, the SHA-256 of its bytes. */
type PackedFile = readonly [path: string, size: number, sha256: string];

/** Packs the regular files of some folders below `root`; `leaveOut` says which not, by their path from there. */
export async function pack(
  root: string,
  folders: readonly string[],
  leaveOut: (path: string) => boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  const files: PackedFile[] = [];
  const bodies: Uint8Array[] = [];
  for (const folder of folders) {
    for (const { path, kind } of await walkFiles(root, folder)) {
      if (kind !== "file" || leaveOut(path)) continue;
      const body = await Deno.readFile(`${root}/${path}`);
      files.push([path, body.length, await sha256Hex(body)]);
      bodies.push(body);
    }
  }
  return concatBytes([utf8(JSON.stringify(files) + "\n"), ...bodies]);
}

/** Where a pack is: it may begin in the midst of a file. */
export interface PackPlace {
  readonly file: string;
  /** Bytes before it. */
  readonly offset: number;
}

/**
 * Unpacks what {@linkcode pack} made into a folder of its own below `into`, whole or not at all, and removes what earlier
 * packs left there. A folder that is there already is taken as it is.
 *
 * @returns the folder
 * @throws {HandlerError} `invalid` where the bytes are not those that were packed
 */
export async function unpack({ file, offset }: PackPlace, into: string): Promise<string> {
  using source = await Deno.open(file);
  await source.seek(offset, Deno.SeekMode.Start);
  const header = await readLine(source);
  const name = (await sha256Hex(header)).slice(0, 16);
  const target = `${into}/${name}`;
  if (!await statIfThere(target)) {
    const fresh = `${into}/${newId()}.new`;
    try {
      await writeFiles(source, JSON.parse(utf8Text(header)), fresh);
      await renameUnlessThere(fresh, target);
    } finally {
      await removeQuietly(fresh);
    }
  }
  await removeOthers(into, name);
  return target;
}

/** What another program is unpacking at this moment is left alone; after an hour nobody is. */
async function removeOthers(into: string, name: string): Promise<void> {
  for (const other of await listFolder(into)) {
    const modified = (await statIfThere(`${into}/${other.name}`))?.mtime?.getTime() ?? 0;
    const underWay = other.name.endsWith(".new") && Date.now() - modified < 3_600_000;
    if (other.name !== name && !underWay) await removeQuietly(`${into}/${other.name}`);
  }
}

async function readLine(source: Deno.FsFile): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  for (;;) {
    const part = new Uint8Array(64 * 1024);
    const count = await source.read(part);
    if (count === null) throw new HandlerError("invalid", "the pack has no line that lists its files");
    const end = part.subarray(0, count).indexOf(10);
    parts.push(part.subarray(0, end < 0 ? count : end));
    if (end < 0) continue;
    await source.seek(end + 1 - count, Deno.SeekMode.Current);
    return concatBytes(parts);
  }
}

async function writeFiles(source: Deno.FsFile, files: readonly PackedFile[], root: string): Promise<void> {
  await ensureFolder(root, 0o755);
  for (const [path, size, sha256] of files) {
    const body = new Uint8Array(size);
    for (let at = 0; at < size;) at += await source.read(body.subarray(at)) ?? Infinity;
    if (await sha256Hex(body) !== sha256) throw new HandlerError("invalid", `the pack's ${path} is damaged`);
    await ensureFolder(dirname(`${root}/${path}`), 0o755);
    await Deno.writeFile(`${root}/${path}`, body);
    await Deno.chmod(`${root}/${path}`, 0o644); // whatever the umask: a sandbox's user must be able to read it
  }
}

/** Two programs may unpack at the same time; both bring the same. */
async function renameUnlessThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (isMissing(error) || !await statIfThere(to)) throw error;
  }
}
