import { ApiError, type ApiRequest, type ApiResponse } from "./api.ts";

/*
 * The way to the backend on a phone. The client shows the page in a frame that can reach nothing, and hands its first
 * document one port: `{ type: "handler.app/v1" }`. Through it go
 *   page to client   { id, method, path, headers, body: ArrayBuffer | null }   or   { id, abort: true }
 *   client to page   { id, status, type, body: ArrayBuffer | null }            or   { id, error: "in words" }
 */
interface PortAnswer {
  readonly id: number;
  readonly status?: number;
  readonly type?: string;
  readonly body?: ArrayBuffer | null;
  readonly error?: string;
}

/** What the transport needs of a window; a test gives its own. */
export type Frame = Pick<Window, "addEventListener" | "parent">;

/** Calls that go through the port; those made before it is there wait for it. */
export function overPort(frame: Frame = globalThis as unknown as Frame) {
  const waiting = new Map<number, (answer: PortAnswer) => void>();
  const port = firstPort(frame).then((port) => {
    port.onmessage = ({ data }: MessageEvent<PortAnswer>) => waiting.get(data.id)?.(data);
    return port;
  });
  let lastId = 0;

  return async ({ signal, body, ...request }: ApiRequest): Promise<ApiResponse> => {
    const id = ++lastId;
    const bytes = body === undefined ? null : await new Blob([body]).arrayBuffer();
    const open = await port;
    signal?.throwIfAborted();
    const answer = await new Promise<PortAnswer>((resolve, reject) => {
      waiting.set(id, resolve);
      signal?.addEventListener("abort", () => {
        open.postMessage({ id, abort: true });
        reject(signal.reason);
      });
      open.postMessage({ id, ...request, body: bytes }, bytes ? [bytes] : []);
    }).finally(() => waiting.delete(id));
    if (answer.status === undefined) throw new ApiError(0, answer.error ?? "Your computer does not answer.");
    const { status, type = "" } = answer;
    return { status, type, body: new Blob(answer.body ? [answer.body] : [], { type }) };
  };
}

function firstPort(frame: Frame): Promise<MessagePort> {
  return new Promise((resolve) => {
    frame.addEventListener("message", ({ source, data, ports: [port] }: MessageEvent) => {
      if (source === frame.parent && data?.type === "handler.app/v1" && port) resolve(port);
    });
  });
}
