import fs from "node:fs";
import { dirname, join } from "node:path";
import { HandlerError } from "../base/mod.ts";
import { isMissing } from "./files.ts";
import { missing, pathInside, proveFolders, refused } from "./scope_path.ts";

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

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
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

function isNoEntry(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
