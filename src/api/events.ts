import { utf8 } from "../base/mod.ts";
import type { WatchEvent } from "./thread_ports.ts";

/**
 * Events as `text/event-stream`: `id:` is the revision to come back with as `Last-Event-ID`, `event:` the kind, `data:`
 * one JSON object. A first comment sends the head of the answer off before anything has happened.
 */
export function eventStream(open: (signal: AbortSignal) => AsyncIterable<WatchEvent>): Response {
  const left = new AbortController();
  let source: AsyncIterator<WatchEvent>;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      source = open(left.signal)[Symbol.asyncIterator]();
      controller.enqueue(utf8(": watching\n\n"));
    },
    async pull(controller) {
      const { done, value } = await source.next();
      if (done) controller.close();
      else controller.enqueue(utf8(eventText(value)));
    },
    async cancel() {
      left.abort();
      await source.return?.();
    },
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
  });
}

function eventText(one: WatchEvent): string {
  const { id, event, ...body } = { id: undefined, ...one };
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(body)}\n\n`;
}

/** The revision that a watcher goes on from: the header of a client that comes back, else what it asks for. */
export function resumeFrom(request: Request, asked: number): number {
  const last = request.headers.get("last-event-id") ?? "";
  return /^[0-9]{1,15}$/.test(last) ? Number(last) : asked;
}
