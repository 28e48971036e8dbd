import { HandlerError } from "../base/mod.ts";

/** The content of a small file, and what the file system said of it after it was opened. */
export interface BoundedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The permission bits, such as 0o600. */
  readonly mode: number;
}

/**
 * Reads a regular file of at most `limit` bytes; links are followed. A device or a folder is refused, and so is a file
 * that is larger, without reading it whole.
 *
 * @throws {HandlerError} `invalid`; what the system refuses passes through as its own error.
 */
export async function readBounded(path: string, limit: number): Promise<BoundedFile> {
  const named = await Deno.stat(path);
  if (!named.isFile) throw new HandlerError("invalid", `${path} is not a regular file`); // a FIFO would block on opening
  using file = await Deno.open(path);
  const info = await file.stat();
  if (!info.isFile) throw new HandlerError("invalid", `${path} is not a regular file`);
  const bytes = new Uint8Array(limit + 1);
  let size = 0;
  while (size <= limit) {
    const count = await file.read(bytes.subarray(size));
    if (count === null) return { bytes: bytes.slice(0, size), mode: (info.mode ?? 0) & 0o777 };
    size += count;
  }
  throw new HandlerError("invalid", `${path} is larger than ${limit} bytes`);
}
