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
interface OlderResponse extends ServerResponse {
  _readable: ReadableStream<Uint8Array>;
}

function isOlder(outgoing: ServerResponse): outgoing is OlderResponse {
  return (outgoing as Partial<OlderResponse>)._readable instanceof ReadableStream;
}

async function sendOlder(outgoing: OlderResponse, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const source = pieces[Symbol.asyncIterator]();
  const left = new Error("the client is gone");
  outgoing._readable = new ReadableStream<Uint8Array>({
    start(controller) {
      outgoing.once("close", () => {
        controller.error(left); // does nothing to one that is closed
        reject(left);
      });
    },
    async pull(controller) {
      try {
        const { done, value } = await source.next();
        if (!done) return controller.enqueue(value);
        outgoing.once("finish", () => controller.close());
        resolve();
      } catch (error) {
        controller.error(error);
        reject(error);
      }
    },
    cancel: () => reject(left),
  });
  outgoing.write(new Uint8Array(0)); // sends the head; it has no flush
  try {
    await promise;
  } catch (error) {
    await source.return?.();
    throw error;
  }
}
