import { basename, dirname, isAbsolute, join, relative } from "node:path";
import fs from "node:fs";
import { HandlerError, newId } from "../base/mod.ts";
import { diskFailure, isMissing, removeQuietly } from "./files.ts";

/** A regular file inside a scope, open for reading. Its size is what the file system said after opening. */
export interface OpenedFile extends AsyncDisposable {
  readonly size: number;
  /** Bytes that it takes on the disk: fewer than its size where it has holes. */
  readonly allocated: number;
  /** Whether anybody may run it. */
  readonly executable: boolean;
  /** The bytes in pieces of at most 64 KiB. */
  chunks(): AsyncIterable<Uint8Array>;
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = fs.constants;
const CHUNK = 64 * 1024;

/**
 * Opens a file that must lie inside `scope`. The file is opened first (never following a last link, never waiting for
 * a FIFO's writer) and then proved: every folder on its path is a real folder of the scope, and the name still leads
 * to the very file that is open, by device and inode. So a name that is swapped meanwhile is refused.
 *
 * @throws {HandlerError} `denied` when it leads out of the scope, is no regular file or was swapped; `not_found`.
 */
export async function openInside(scope: string, path: string): Promise<OpenedFile> {
  const root = await Deno.realPath(scope);
  const inside = pathInside(root, scope, path);
  const fd = await openPlain(join(root, inside));
  try {
    const opened = fs.fstatSync(fd, { bigint: true });
    if (!opened.isFile()) throw refused("it is not a regular file");
    await proveFolders(root, dirname(inside));
    const named = fs.lstatSync(join(root, inside), { bigint: true });
    if (named.dev !== opened.dev || named.ino !== opened.ino) {
      throw refused("it was replaced while it was opened");
    }
    return openedFile(fd, opened);
  } catch (error) {
    fs.closeSync(fd);
    throw isMissing(error) || isNoEntry(error) ? missing() : error;
  }
}

function openPlain(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, (error, fd) => {
      if (!error) return resolve(fd);
      reject(openError(error));
    });
  });
}

function openError(error: NodeJS.ErrnoException): HandlerError {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return missing();
  if (error.code === "ELOOP" || error.code === "EMLINK") return refused("it is a link");
  if (error.code === "EACCES" || error.code === "EPERM") return refused("the file may not be read");
  if (error.code === "ENXIO") return refused("it is not a regular file");
  return new HandlerError("unavailable", `the file could not be opened (${error.code ?? error.message})`);
}

/** The path relative to the scope, with every `..` settled by text; links are settled by {@linkcode proveFolders}. */
function pathInside(root: string, scope: string, path: string): string {
  if (path === "" || path.includes("\0")) throw refused("the path is empty or holds a NUL");
  const given = isAbsolute(path) ? path : join(root, path);
  const fromRoot = relative(root, given);
  const rest = leads(fromRoot) ? fromRoot : relative(scope, given);
  if (!leads(rest)) throw refused("the path leads out of the work folder");
  return rest;
}

function leads(rest: string): boolean {
  return rest !== "" && rest !== ".." && !rest.startsWith("../") && !isAbsolute(rest);
}

/** Every folder from the scope down must be a folder itself: a link on the way could lead anywhere. */
async function proveFolders(root: string, below: string): Promise<void> {
  let at = root;
  for (const part of below === "." ? [] : below.split("/")) {
    at = join(at, part);
    const info = await Deno.lstat(at);
    if (info.isSymlink) throw refused("a folder on the path is a link");
    if (!info.isDirectory) throw missing();
  }
}

function openedFile(fd: number, { size, blocks, mode }: fs.BigIntStats): OpenedFile {
  return {
    size: Number(size),
    allocated: Number(blocks) * 512,
    executable: (Number(mode) & 0o111) !== 0,
    async *chunks() {
      for (let at = 0;;) {
        const piece = new Uint8Array(CHUNK);
        const count = await readAt(fd, piece, at);
        if (count === 0) return;
        at += count;
        yield piece.subarray(0, count);
      }
    },
    [Symbol.asyncDispose]() {
      return new Promise((resolve) => fs.close(fd, () => resolve()));
    },
  };
}

function readAt(fd: number, into: Uint8Array, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.read(fd, into, 0, into.length, position, (error, count) => error ? reject(error) : resolve(count));
  });
}

/**
 * Writes a file inside `scope`, whole or not at all: into a new file in the target's folder, then renamed. The folder
 * must exist and be a real folder of the scope. An existing regular file is replaced; anything else there is refused.
 */
export async function writeInside(
  scope: string,
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> {
  const root = await Deno.realPath(scope);
  const inside = pathInside(root, scope, path);
  const folder = join(root, dirname(inside));
  const fresh = join(folder, `.${newId()}.partial`);
  try {
    const before = await provenFolder(root, dirname(inside), folder);
    await refuseOddTarget(join(folder, basename(inside)));
    const size = await writeChunks(fresh, chunks);
    const after = await provenFolder(root, dirname(inside), folder);
    if (before.dev !== after.dev || before.ino !== after.ino) {
      throw refused("its folder was replaced meanwhile");
    }
    await refuseOddTarget(join(folder, basename(inside)));
    await Deno.rename(fresh, join(folder, basename(inside)));
    return size;
  } catch (error) {
    await removeQuietly(fresh);
    throw isMissing(error)
      ? new HandlerError("not_found", "the folder of the output file does not exist")
      : diskFailure(error);
  }
}

async function provenFolder(root: string, below: string, folder: string): Promise<fs.BigIntStats> {
  await proveFolders(root, below);
  const fd = fs.openSync(folder, O_RDONLY | O_NOFOLLOW | O_DIRECTORY);
  try {
    return fs.fstatSync(fd, { bigint: true });
  } finally {
    fs.closeSync(fd);
  }
}

async function refuseOddTarget(path: string): Promise<void> {
  try {
    const info = await Deno.lstat(path);
    if (!info.isFile) throw refused("the output path is there already and is no regular file");
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

async function writeChunks(path: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  using file = await Deno.open(path, { write: true, createNew: true, mode: 0o644 });
  let size = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) at += await file.write(chunk.subarray(at));
    size += chunk.length;
  }
  return size;
}

function refused(why: string): HandlerError {
  return new HandlerError("denied", `the file was refused: ${why}`);
}

function missing(): HandlerError {
  return new HandlerError("not_found", "there is no file at that path in the work folder");
}

function isNoEntry(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
