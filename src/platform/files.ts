import { basename, dirname } from "node:path";
import { HandlerError, newId } from "../base/mod.ts";

/** The text of a file, or undefined where there is none. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The text of a file that must be there. */
export function readText(path: string): Promise<string> {
  return Deno.readTextFile(path);
}

/** The bytes of a file. */
export function readBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return Deno.readFile(path);
}

/**
 * Writes a file whole or not at all: a new file beside it, flushed, then renamed over it. Mode 0600 unless told.
 */
export async function writeAtomic(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  const fresh = `${path}.${newId()}.new`;
  try {
    await writeFlushed(
      fresh,
      typeof content === "string" ? new TextEncoder().encode(content) : content,
      mode,
    );
    await Deno.rename(fresh, path);
  } catch (error) {
    await removeQuietly(fresh);
    throw error;
  }
  await flushFolder(dirname(path));
}

/** Removes what {@linkcode writeAtomic} of this path has left where the program was killed in the middle of it. */
export async function removeUnfinished(path: string): Promise<void> {
  const [begin, end] = [`${basename(path)}.`, ".new"];
  for (const { name } of await listFolder(dirname(path))) {
    if (name.startsWith(begin) && name.endsWith(end)) await removeQuietly(`${dirname(path)}/${name}`);
  }
}

async function writeFlushed(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: true, mode });
  for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
  await file.sync();
}

/** A rename is durable only once its folder is. */
async function flushFolder(path: string): Promise<void> {
  try {
    using folder = await Deno.open(path);
    await folder.sync();
  } catch {
    // some file systems refuse to flush a folder; the rename itself has happened
  }
}

/** Makes a folder and its parents; private to the owner unless told. */
export async function ensureFolder(path: string, mode = 0o700): Promise<void> {
  await Deno.mkdir(path, { recursive: true, mode });
}

/** Removes a file or a folder with all it holds; what is not there is fine. */
export async function removeAll(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** As {@linkcode removeAll}, for cleaning up after another error. */
export async function removeQuietly(path: string): Promise<void> {
  await removeAll(path).catch(() => {});
}

/** One entry of a folder. */
export interface Entry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

/** What is in a folder, by name; nothing where there is no folder. */
export async function listFolder(path: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of Deno.readDir(path)) entries.push({ name: entry.name, kind: entryKind(entry) });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function entryKind(entry: Deno.DirEntry): Entry["kind"] {
  if (entry.isSymlink) return "link";
  if (entry.isDirectory) return "folder";
  return entry.isFile ? "file" : "other";
}

/** Every regular file below a folder, as paths relative to it, sorted; links are not followed but listed as such. */
export async function walkFiles(
  root: string,
  below = "",
): Promise<readonly (Entry & { readonly path: string })[]> {
  const found: (Entry & { readonly path: string })[] = [];
  for (const entry of await listFolder(below ? `${root}/${below}` : root)) {
    const path = below ? `${below}/${entry.name}` : entry.name;
    if (entry.kind === "folder") found.push(...await walkFiles(root, path));
    else found.push({ ...entry, path });
  }
  return found;
}

/** What the file system says of a path, without following a link; undefined where there is nothing. */
export async function statIfThere(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether an error says that a path leads nowhere. */
export function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
}

/** A write that found no room, in words; any other error as it is. */
export function diskFailure(error: unknown): unknown {
  const full = error instanceof Error && "code" in error && ["ENOSPC", "EDQUOT"].includes(String(error.code));
  return full ? new HandlerError("unavailable", "the disk is full", { cause: error }) : error;
}

/** Copies a file's bytes. */
export function copyFile(from: string, to: string): Promise<void> {
  return Deno.copyFile(from, to);
}

/** Gives a path its mode. */
export function setMode(path: string, mode: number): Promise<void> {
  return Deno.chmod(path, mode);
}

/** Renames within one file system. */
export function rename(from: string, to: string): Promise<void> {
  return Deno.rename(from, to);
}

/** Makes a symbolic link, in place of one that is there. */
export async function linkTo(target: string, path: string): Promise<void> {
  const fresh = `${path}.${newId()}.new`;
  await Deno.symlink(target, fresh);
  await Deno.rename(fresh, path);
}

/** The path with every link followed. */
export function realPath(path: string): Promise<string> {
  return Deno.realPath(path);
}

/** A fresh private folder for passing use. */
export function temporaryFolder(prefix = "handler-"): Promise<string> {
  return Deno.makeTempDir({ prefix });
}

/** Where a symbolic link points, as it is written. */
export function linkTarget(path: string): Promise<string> {
  return Deno.readLink(path);
}

/**
 * The end of a file, at most so many bytes and none before `from`, unless the file has become shorter than that; nothing
 * where it cannot be read.
 */
export function tailOfFile(path: string, bytes: number, from = 0): Uint8Array {
  try {
    using file = Deno.openSync(path);
    const { size } = file.statSync();
    const start = Math.max(0, size - bytes, size < from ? 0 : from);
    file.seekSync(start, Deno.SeekMode.Start);
    const tail = new Uint8Array(size - start);
    const count = file.readSync(tail) ?? 0;
    return tail.subarray(0, count);
  } catch {
    return new Uint8Array();
  }
}

/** Copies a folder's files and folders, reading even what a compiled program carries inside; links are left out. */
export async function copyTree(from: string, to: string): Promise<void> {
  for (const entry of await listFolder(from)) {
    const source = `${from}/${entry.name}`, target = `${to}/${entry.name}`;
    if (entry.kind === "folder") {
      await ensureFolder(target, 0o755);
      await copyTree(source, target);
    } else if (entry.kind === "file") {
      await Deno.writeFile(target, await Deno.readFile(source), { mode: 0o644 });
      await Deno.chmod(target, 0o644);
    }
  }
}

/** Writes a file that nobody reads yet, without the care of {@linkcode writeAtomic}; a restart may lose it. */
export function writePlain(path: string, text: string, mode = 0o644): Promise<void> {
  return Deno.writeTextFile(path, text, { mode });
}
