import { utf8 } from "../base/mod.ts";
import type { Change, Hello } from "./desk_ports.ts";
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

/** How long a stream of changes is silent at most: a proxy or a page may take a silent one for dead. */
const HEARTBEAT_MS = 15_000;

/**
 * Changes as `text/event-stream`: `event: hello` first, then `event: change` for each, and a comment where nothing happens
 * for a while. A reader that is slow is waited for; what it misses is put together by the source.
 */
export function changeStream(
  open: (signal: AbortSignal, onHello: (hello: Hello) => void) => AsyncIterable<Change>,
): Response {
  const left = new AbortController();
  let source: AsyncIterator<Change>;
  let next: Promise<IteratorResult<Change>> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      source = open(left.signal, (hello) => controller.enqueue(utf8(lines("hello", hello))))
        [Symbol.asyncIterator]();
    },
    async pull(controller) {
      next ??= source.next();
      const got = await atMost(HEARTBEAT_MS, next);
      if (!got) return controller.enqueue(utf8(": alive\n\n"));
      next = undefined;
      if (got.done) controller.close();
      else controller.enqueue(utf8(lines("change", got.value)));
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

function lines(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** What comes of `work`, or undefined where it takes longer; the work goes on. */
async function atMost<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => timer = setTimeout(() => resolve(undefined), ms));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
