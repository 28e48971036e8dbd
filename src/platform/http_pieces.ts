import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

/**
 * Sends a body piece by piece, at the pace of the client; its head goes out at once. The answer is not ended.
 *
 * @throws where a piece cannot be made, and where the client leaves: the source is told to stop then
 */
export async function sendPieces(outgoing: ServerResponse, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  if (isOlder(outgoing)) return await sendOlder(outgoing, pieces);
  outgoing.flushHeaders();
  await pipeline(pieces, outgoing, { end: false });
}

/**
 * An answer of Deno 2.6: it takes whatever is written without a word of how much waits already, so a client that reads
 * slowly would fill the memory. What it really sends is this stream, read at the client's pace.
 */
export interface OlderResponse extends ServerResponse {
  _readable: ReadableStream<Uint8Array>;
}

/** Whether an answer is one of Deno 2.6. */
export function isOlder(outgoing: ServerResponse): outgoing is OlderResponse {
  return (outgoing as Partial<OlderResponse>)._readable instanceof ReadableStream;
}

async function sendOlder(outgoing: OlderResponse, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const source = pieces[Symbol.asyncIterator]();
  const left = new Error("the client is gone");
  let state: "open" | "given" | "over" = "open";
  outgoing._readable = new ReadableStream<Uint8Array>({
    start(controller) {
      const over = (end: () => void) => () => {
        if (state !== "over") end();
        state = "over";
      };
      outgoing.once("finish", over(() => controller.close()));
      outgoing.once("close", over(() => controller.error(left)));
      outgoing.once("close", () => reject(left)); // does nothing behind a good end
    },
    async pull(controller) {
      if (state !== "open") return; // it may be asked for more than there is
      try {
        const { done, value } = await source.next();
        if (state !== "open") return;
        if (!done) return controller.enqueue(value);
        state = "given";
        resolve();
      } catch (error) {
        state = "over";
        controller.error(error);
        reject(error);
      }
    },
    cancel() {
      state = "over";
      reject(left);
    },
  });
  outgoing.write(new Uint8Array(0)); // sends the head; it has no flush
  try {
    await promise;
  } catch (error) {
    await source.return?.();
    throw error;
  }
}
