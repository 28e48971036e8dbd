import { errorText, HandlerError } from "../base/mod.ts";

/** The bytes of a file in pieces. @throws {HandlerError} `not_found` where it cannot be read */
export async function readChunks(path: string): Promise<AsyncIterable<Uint8Array>> {
  try {
    return (await Deno.open(path)).readable;
  } catch (error) {
    throw new HandlerError("not_found", `the file ${path} cannot be read`, { cause: error });
  }
}

/**
 * Writes a file that is not there yet out of pieces; what a failure leaves unfinished is removed.
 * @throws {HandlerError} `conflict` where it is there
 */
export async function createFile(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  let file: Deno.FsFile;
  try {
    file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) {
      throw new HandlerError("conflict", `${path} is there already`);
    }
    throw new HandlerError("not_found", `${path} cannot be made: ${errorText(error)}`, { cause: error });
  }
  try {
    await ReadableStream.from(chunks).pipeTo(file.writable);
  } catch (error) {
    await Deno.remove(path).catch(() => {});
    throw error;
  }
}
