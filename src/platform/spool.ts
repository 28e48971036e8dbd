import { delay, HandlerError } from "../base/mod.ts";
import { isMissing } from "./files.ts";
import { run } from "./process.ts";

/** Adds bytes to the end of a file, which is made (mode 0600) where it is not there. */
export function appendBytes(path: string, bytes: Uint8Array): Promise<void> {
  return Deno.writeFile(path, bytes, { append: true, create: true, mode: 0o600 });
}

/** Makes an empty file of mode 0600; what is there stays. */
export async function touchFile(path: string): Promise<void> {
  await appendBytes(path, new Uint8Array());
}

/** At most `limit` bytes of a file from `offset` on; fewer at its end, none where there is no file. */
export async function readFrom(path: string, offset: number, limit: number): Promise<Uint8Array> {
  try {
    using file = await Deno.open(path);
    await file.seek(offset, Deno.SeekMode.Start);
    const bytes = new Uint8Array(limit);
    let size = 0;
    for (let count: number | null = 0; count !== null && size < limit; size += count ?? 0) {
      count = await file.read(bytes.subarray(size));
    }
    return bytes.subarray(0, size);
  } catch (error) {
    if (isMissing(error)) return new Uint8Array();
    throw error;
  }
}

/** The size of a file in bytes; 0 where there is none. */
export async function fileSize(path: string): Promise<number> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}

/** Cuts a file to so many bytes. */
export function truncateFile(path: string, size: number): Promise<void> {
  return Deno.truncate(path, size);
}

/**
 * Gives the blocks of a file's beginning back to the disk, while its size and what follows stay; for a file that
 * another process still writes. False where the system cannot.
 */
export async function freeBeginning(path: string, upTo: number): Promise<boolean> {
  if (Deno.build.os !== "linux" || upTo <= 0) return false;
  const argv = ["fallocate", "--punch-hole", "--offset", "0", "--length", String(upTo), path];
  return await run(argv).then(({ code }) => code === 0, () => false);
}

/** Makes a FIFO of mode 0600. */
export async function makeFifo(path: string): Promise<void> {
  const { code, stderr } = await run(["mkfifo", "-m", "600", path]);
  if (code !== 0) {
    throw new HandlerError("unavailable", `the FIFO ${path} could not be made: ${stderr.trim()}`);
  }
}

const FIFO_PATIENCE_MS = 5000;
const FIFO_PAUSE_MS = 10;

/**
 * Writes to a FIFO that somebody reads, without ever waiting for a reader to come.
 * @throws {HandlerError} `conflict` where nobody reads, or the reader takes nothing for five seconds
 */
export async function writeFifo(path: string, bytes: Uint8Array): Promise<void> {
  const { constants } = await import("node:fs");
  const { open } = await import("node:fs/promises");
  const file = await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch((error) => {
    throw new HandlerError("conflict", "nobody reads this input", { cause: error });
  });
  try {
    let waited = 0;
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, at).catch(fullFifo);
      at += bytesWritten;
      waited = bytesWritten > 0 ? 0 : waited + FIFO_PAUSE_MS;
      if (waited > FIFO_PATIENCE_MS) {
        throw new HandlerError("conflict", "the reader of this input takes nothing more");
      }
      if (waited > 0) await delay(FIFO_PAUSE_MS);
    }
  } finally {
    await file.close();
  }
}

function fullFifo(error: Error): { readonly bytesWritten: number } {
  if ("code" in error && error.code === "EAGAIN") return { bytesWritten: 0 };
  throw new HandlerError("conflict", "the reader of this input has gone", { cause: error });
}

/** Replaces a small file in one step, for what need not outlive a power cut: nothing is flushed. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const fresh = `${path}.new`;
  await Deno.writeTextFile(fresh, text, { mode: 0o600 });
  await Deno.rename(fresh, path);
}
