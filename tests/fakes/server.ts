/**
 * What the vendor fakes share: a loopback HTTP(S) server that keeps what it was sent, and whether the client went
 * away before the answer was complete.
 * @module
 */
import { createHash } from "node:crypto";
import { makeCertificates } from "./tls.ts";

/** A request as the fake keeps it; credentials are left out of the headers. */
export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
  /** SHA-256 of the body. */
  readonly sha256: string;
  /** Whether the client ended the exchange before the answer was complete. */
  aborted: boolean;
}

/** A running fake. */
export interface FakeServer {
  readonly port: number;
  /** `http://127.0.0.1:PORT` or `https://…`. */
  readonly origin: string;
  /** The authority to trust; empty without TLS. */
  readonly caPem: string;
  readonly requests: readonly FakeRequest[];
  close(): Promise<void>;
}

/** Answers one request; `body` is whole, `record` is what is kept of it. */
export type FakeHandler = (
  request: Request,
  body: Uint8Array,
  record: FakeRequest,
) => Promise<Response> | Response;

const CREDENTIALS = new Set(["authorization", "x-api-key", "proxy-authorization"]);

/** Starts a fake on a free loopback port, over TLS for the host names in `tlsNames` where there are any. */
export async function startFake(
  options: { readonly tlsNames: readonly string[]; readonly handle: FakeHandler },
): Promise<FakeServer> {
  const requests: FakeRequest[] = [];
  const tls = options.tlsNames.length > 0 ? await makeCertificates(options.tlsNames) : undefined;
  const server = Deno.serve(
    {
      hostname: "127.0.0.1",
      port: 0,
      onListen() {},
      ...(tls ? { cert: tls.certPem, key: tls.keyPem } : {}),
    },
    async (request) => {
      const body = new Uint8Array(await request.arrayBuffer());
      const record = keep(request, body);
      requests.push(record);
      return await options.handle(request, body, record);
    },
  );
  return {
    port: server.addr.port,
    origin: `${tls ? "https" : "http"}://127.0.0.1:${server.addr.port}`,
    caPem: tls?.caPem ?? "",
    requests,
    close: () => server.shutdown(),
  };
}

function keep(request: Request, body: Uint8Array): FakeRequest {
  return {
    method: request.method,
    path: new URL(request.url).pathname,
    headers: Object.fromEntries([...request.headers].filter(([name]) => !CREDENTIALS.has(name))),
    bytes: body.length,
    sha256: createHash("sha256").update(body).digest("hex"),
    aborted: false,
  };
}

/** Waits `ms`, less where the client goes away. */
function pause(ms: number, left: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, ms);
    left.addEventListener("abort", done, { once: true });
  });
}

/** One step of an answer: text to send, or milliseconds to wait, or `"break"` to cut the connection. */
export type StreamStep = string | number | "break";

/** An answer sent in steps; a client that leaves in the middle is noted in the record. */
export function answerInSteps(steps: Iterable<StreamStep>, record: FakeRequest, mediaType: string): Response {
  const left = new AbortController();
  const encoder = new TextEncoder();
  const iterator = steps[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      let { value, done } = iterator.next();
      while (typeof value === "number" && !left.signal.aborted) {
        await pause(value, left.signal);
        ({ value, done } = iterator.next());
      }
      if (left.signal.aborted) return;
      if (done) controller.close();
      else if (value === "break") controller.error(new Error("the fake cuts the connection"));
      else controller.enqueue(encoder.encode(String(value)));
    },
    cancel() {
      record.aborted = true;
      left.abort();
    },
  });
  return new Response(body, { headers: { "content-type": mediaType } });
}
