import type { FileChunk, FileRecord, ThreadFiles } from "../../spec/files.ts";
import { MAX_THREAD_FILE_BYTES } from "../../../wire/mod.ts";
import { fromWireBytes, toWireBytes } from "../binary.ts";
import type { Methods } from "./methods.ts";
import { ask, askOrNull, type Place } from "./place.ts";
import { findFiles, grepFiles } from "./search.ts";

/** A thread's own files. */
export const fileMethods: Methods<keyof ThreadFiles> = {
  writeFile: (at) => async (path, data, mimeType, options) => {
    checkSize(path, typeof data === "string" ? data.length : data.byteLength);
    const content = typeof data === "string" ? data : toWireBytes(data);
    return await ask(at, "writeFile", path, content, mimeType, options) as unknown as FileRecord;
  },
  readFile: (at) => async (path) => fromWireBytes(await ask(at, "readFile", path))?.buffer ?? null,
  readFileStream: (at) => async (path, options) => {
    const first = await chunk(at, path, 0);
    return first === null ? null : chunks(at, path, first, options?.signal);
  },
  statFile: (at) => async (path) => await askOrNull(at, "statFile", path) as unknown as FileRecord | null,
  readdirFile: (at) => async (path) =>
    await ask(at, "readdirFile", path) as unknown as { entries: FileRecord[] },
  unlinkFile: (at) => async (path) => void await ask(at, "unlinkFile", path),
  mkdirFile: (at) => async (path) => {
    await ask(at, "mkdirFile", path);
    return await ask(at, "statFile", path) as unknown as FileRecord;
  },
  rmdirFile: (at) => async (path) => void await ask(at, "rmdirFile", path),
  moveFile: (at) => async (from, to) => await ask(at, "moveFile", from, to) as unknown as FileRecord,
  renameFile: (at) => async (path, name) => await ask(at, "renameFile", path, name) as unknown as FileRecord,
  getFileStats: (at) => async () =>
    await ask(at, "getFileStats") as unknown as Awaited<ReturnType<ThreadFiles["getFileStats"]>>,
  grepFiles: (at) => (pattern) => grepFiles(at, pattern),
  findFiles: (at) => (glob) => findFiles(at, glob),
  getFileThumbnail: (at) => async (path) =>
    fromWireBytes(await ask(at, "getFileThumbnail", path))?.buffer ?? null,
};

/** Said here already: as JSON a large file takes several times its size of the host's memory. */
function checkSize(path: string, bytes: number): void {
  if (bytes <= MAX_THREAD_FILE_BYTES) return;
  throw new RangeError(`${path} has ${bytes} bytes (a file has at most ${MAX_THREAD_FILE_BYTES} bytes)`);
}

async function chunk(at: Place, path: string, index: number): Promise<FileChunk | null> {
  const value = await askOrNull(at, "readFileChunk", path, index) as unknown as FileChunk | null;
  return value && { ...value, data: fromWireBytes(value.data) ?? new Uint8Array() };
}

/** Asks for a piece once the one before it was taken. */
async function* chunks(
  at: Place,
  path: string,
  first: FileChunk,
  signal: AbortSignal | undefined,
): AsyncGenerator<FileChunk> {
  for (let piece: FileChunk | null = first; piece; piece = await chunk(at, path, piece.index + 1)) {
    signal?.throwIfAborted();
    yield piece;
    if (piece.isLast) return;
  }
  throw new Error(`the file ${path} was removed or cut while it was read`);
}
