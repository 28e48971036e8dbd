import { HandlerError } from "../base/mod.ts";
import { diskFailure } from "./files.ts";

const HEAD = 4096;

/**
 * Copies chunks into a new file and gives its size and first bytes; memory stays at one chunk.
 * @throws {HandlerError} `conflict` as soon as more than `limit` bytes came, so that a file that grows is caught;
 * `unavailable` where the disk is full
 */
export async function stageFile(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  limit: number,
): Promise<{ readonly size: number; readonly head: Uint8Array }> {
  try {
    return await copyInto(chunks, path, limit);
  } catch (error) {
    throw diskFailure(error);
  }
}

async function copyInto(chunks: AsyncIterable<Uint8Array>, path: string, limit: number) {
  using file = await Deno.open(path, { write: true, createNew: true, mode: 0o644 });
  const head = new Uint8Array(HEAD);
  let size = 0;
  for await (const chunk of chunks) {
    if (size + chunk.length > limit) {
      throw new HandlerError("conflict", `the file has more than ${limit} bytes`);
    }
    if (size < HEAD) head.set(chunk.subarray(0, HEAD - size), size);
    for (let at = 0; at < chunk.length;) at += await file.write(chunk.subarray(at));
    size += chunk.length;
  }
  await Deno.chmod(path, 0o644); // the umask is the daemon's; the sandbox's user must be able to read it
  return { size, head: head.subarray(0, Math.min(size, HEAD)) };
}
