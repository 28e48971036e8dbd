import type { Call, SendEvent } from "./handler_app.d.ts";

/** A comment now and then tells both ends that the other is there. */
const ALIVE_MS = 20_000;

const open = new Set<AbortController>();

/** Ends every stream, so that a stop need not wait for them. */
export function endStreams(): void {
  for (const controller of open) controller.abort();
}

/** Answers a call with server-sent events. */
export function events(
  call: Call,
  produce: (send: SendEvent, signal: AbortSignal) => Promise<void>,
): Response {
  const gone = new AbortController();
  const { signal } = gone;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      open.add(gone);
      const write = (text: string) => {
        if (!signal.aborted) controller.enqueue(encoder.encode(text));
      };
      const alive = setInterval(() => write(":\n\n"), ALIVE_MS);
      const ended = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      write(":\n\n");
      Promise.race([produce((data, event) => write(frame(data, event)), signal), ended])
        .catch((error) => signal.aborted || console.error(`${call.url.pathname}:`, error))
        .finally(() => {
          clearInterval(alive);
          open.delete(gone);
          gone.abort();
          closeQuietly(controller);
        });
    },
    cancel: () => gone.abort(),
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
  });
}

/** JSON has no line ends of its own, so one data line is enough. */
function frame(data: unknown, event: string | undefined): string {
  const name = event === undefined ? "" : `event: ${event.replaceAll(/[\r\n]/g, " ")}\n`;
  return `${name}data: ${JSON.stringify(data ?? null)}\n\n`;
}

function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close();
  } catch {
    // the page has closed it
  }
}
