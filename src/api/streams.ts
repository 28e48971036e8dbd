import { asHandlerError, utf8 } from "../base/mod.ts";
import { wireError } from "./errors.ts";

/** Bytes as they come, until their source ends; a reader that leaves stops the source. */
export function byteStream(open: (signal: AbortSignal) => AsyncIterable<Uint8Array>): Response {
  const left = new AbortController();
  const source = open(left.signal)[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      left.abort();
      await source.return?.();
    },
  });
  return new Response(body, {
    headers: { "content-type": "application/octet-stream", "cache-control": "no-store" },
  });
}

/**
 * Progress of long work as lines of JSON: `{"progress":…}` (a text, or a step's record) any number of times, then one `{"result":…}` or
 * `{"error":{…}}`. The status is 200 whatever comes, for it is sent before the outcome is known.
 */
export function progressStream<P = string>(
  work: (progress: (line: P) => void) => Promise<unknown>,
): Response {
  let open = true;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (line: unknown) => {
        if (open) controller.enqueue(utf8(JSON.stringify(line) + "\n"));
      };
      try {
        const result = await work((progress) => send({ progress }));
        send({ result });
      } catch (error) {
        send({ error: wireError(asHandlerError(error)) });
      }
      if (open) controller.close();
    },
    cancel() {
      open = false;
    },
  });
  return new Response(body, {
    headers: { "content-type": "application/x-ndjson", "cache-control": "no-store" },
  });
}
