import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { HandlerError } from "../base/mod.ts";

/** A header as it came in, in order; a name may stand more than once. */
export type RawHeader = readonly [name: string, value: string];

/** A request as the wire had it: nothing is joined, renamed or resolved. */
export interface FrontRequest {
  readonly method: string;
  /** The request target: a path, or a whole URL in the absolute form. */
  readonly target: string;
  readonly headers: readonly RawHeader[];
  /** Aborted when the client goes away. */
  readonly gone: AbortSignal;
  /** The body's text, at most `limit` bytes. @throws {HandlerError} `usage` for more */
  text(limit: number): Promise<string>;
}

/** Where a request is handed on to. */
export interface ForwardTo {
  readonly socket: string;
  readonly path: string;
  readonly headers: readonly RawHeader[];
  /** Makes the answer's headers what the client gets. */
  answer(status: number, headers: readonly RawHeader[]): readonly RawHeader[];
}

/** How a request is answered; exactly one of the two, once. */
export interface FrontResponse {
  /** A whole answer, or one whose body comes in pieces. */
  send(
    status: number,
    headers: readonly RawHeader[],
    body?: Uint8Array | AsyncIterable<Uint8Array>,
  ): Promise<void>;
  /** Streams the request to a server on a unix socket and its answer back, at the pace of the slower side. */
  forward(to: ForwardTo): Promise<void>;
}

/** What serves; `upgrade` gets requests for another protocol (WebSocket). */
export interface FrontHandlers {
  request(request: FrontRequest, response: FrontResponse): Promise<void>;
  /** Where the connection is handed on to as it is, or the status that refuses it. */
  upgrade(
    request: FrontRequest,
  ): Promise<{ readonly to: Omit<ForwardTo, "answer"> } | { readonly refuse: number }>;
}

/** A server on a loopback port. */
export interface FrontServer {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Serves HTTP on 127.0.0.1. Requests and answers keep the headers as they were written, so that a doubled Host or Origin
 * can be seen.
 *
 * @throws {HandlerError} `conflict` where the port is taken
 */
export function serveFront(port: number, handlers: FrontHandlers): Promise<FrontServer> {
  const server = createServer({ keepAliveTimeout: 30_000 }, (incoming, outgoing) => {
    const { request, closed } = frontRequest(incoming, outgoing);
    handlers.request(request, frontResponse(incoming, outgoing)).catch((error) => {
      if (!outgoing.headersSent) outgoing.writeHead(500);
      outgoing.destroy(error instanceof Error ? error : undefined);
    }).finally(closed);
  });
  const upgraded = new Set<Duplex>();
  server.on("upgrade", (incoming, socket, head) => {
    upgraded.add(socket);
    socket.on("close", () => upgraded.delete(socket));
    void handOn(handlers, incoming, socket, head);
  });
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE";
      reject(taken ? new HandlerError("conflict", `the port ${port} is taken by another program`) : error);
    });
    server.listen(port, "127.0.0.1", () => {
      const address = server.address() as { port: number };
      resolve({
        port: address.port,
        stop: () =>
          new Promise((stopped) => {
            for (const socket of upgraded) socket.destroy();
            server.close(() => stopped());
            server.closeAllConnections();
          }),
      });
    });
  });
}

function frontRequest(incoming: IncomingMessage, outgoing: ServerResponse | Duplex) {
  const gone = new AbortController();
  const close = () => gone.abort(new HandlerError("cancelled", "the client is gone"));
  outgoing.once("close", close);
  const request: FrontRequest = {
    method: incoming.method ?? "GET",
    target: incoming.url ?? "",
    headers: rawHeaders(incoming),
    gone: gone.signal,
    text: (limit) => bodyText(incoming, limit),
  };
  return { request, closed: () => outgoing.off("close", close) };
}

function rawHeaders(incoming: IncomingMessage): readonly RawHeader[] {
  const { rawHeaders } = incoming;
  return Array.from(
    { length: rawHeaders.length / 2 },
    (_, i) => [rawHeaders[2 * i]!, rawHeaders[2 * i + 1]!],
  );
}

async function bodyText(incoming: IncomingMessage, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "", size = 0;
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > limit) throw new HandlerError("usage", `the body has more than ${limit} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function frontResponse(incoming: IncomingMessage, outgoing: ServerResponse): FrontResponse {
  return {
    async send(status, headers, body) {
      outgoing.writeHead(status, headers.flat());
      if (body === undefined || body instanceof Uint8Array) outgoing.end(body);
      else await pipeline(body, outgoing);
    },
    forward: (to) => forward(incoming, outgoing, to),
  };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, to: ForwardTo): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest({
      socketPath: to.socket,
      method: incoming.method,
      path: to.path,
      headers: to.headers.flat() as unknown as NodeJS.Dict<string>,
      setHost: false,
    }, (answer) => {
      const headers = to.answer(answer.statusCode ?? 502, rawHeaders(answer));
      outgoing.writeHead(answer.statusCode ?? 502, headers.flat());
      outgoing.flushHeaders(); // an event stream's head must not wait for its first event
      pipeline(answer, outgoing).then(resolve, reject);
    });
    outgoing.once("close", () => asked.destroy());
    asked.once("error", reject);
    pipeline(incoming, asked).catch(reject);
  });
}

async function handOn(handlers: FrontHandlers, incoming: IncomingMessage, socket: Duplex, head: Uint8Array) {
  const { request } = frontRequest(incoming, socket);
  try {
    const outcome = await handlers.upgrade(request);
    if ("refuse" in outcome) socket.end(`HTTP/1.1 ${outcome.refuse} Refused\r\nConnection: close\r\n\r\n`);
    else await join(incoming, socket, head, outcome.to);
  } catch {
    socket.end("HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n");
  }
}

/** The request line and headers are written anew, everything after them passes both ways as it is. */
async function join(
  incoming: IncomingMessage,
  near: Duplex,
  head: Uint8Array,
  to: Omit<ForwardTo, "answer">,
) {
  const far: Socket = connect(to.socket);
  const lines = to.headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  far.write(`${incoming.method} ${to.path} HTTP/1.1\r\n${lines}\r\n`);
  if (head.length > 0) far.write(head);
  await Promise.allSettled([pipeline(near, far), pipeline(far, near)]);
  near.destroy();
  far.destroy();
}
