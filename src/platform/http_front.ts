import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { HandlerError } from "../base/mod.ts";
import type { Connections } from "./connections.ts";
import { drained, forward } from "./http_forward.ts";
import { sendPieces } from "./http_pieces.ts";
import { headerRecord, type RawHeader, rawHeaders } from "./raw_headers.ts";
import { joinWebSocket, refuseUpgrade } from "./web_socket.ts";

/** A request as the wire had it: nothing is joined, renamed or resolved. */
export interface FrontRequest {
  readonly method: string;
  /** The request target: a path, or a whole URL in the absolute form. */
  readonly target: string;
  readonly headers: readonly RawHeader[];
  /** Aborted when the client goes away. */
  readonly gone: AbortSignal;
  /** Ends the connection, whatever of an answer is under way; where there is none yet, it is 401. */
  cut(): void;
  /** The body's text, at most `limit` bytes. @throws {HandlerError} `usage` for more */
  text(limit: number): Promise<string>;
  /** The body in pieces, at the pace of the reader. */
  pieces(): AsyncIterable<Uint8Array>;
}

/** Where a request is handed on to. */
export interface ForwardTo {
  readonly socket: string;
  readonly path: string;
  readonly headers: readonly RawHeader[];
  /** The connections to that server that are kept. */
  readonly connections: Connections;
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
  ): Promise<{ readonly to: Omit<ForwardTo, "answer" | "connections"> } | { readonly refuse: number }>;
}

/** A server on a loopback port. */
export interface FrontServer {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * A body may take as long as it needs: uploads are large. A head has room for as many cookies as browsers keep for a name,
 * which anybody at another port can set there: else a person could not even open the app again.
 */
const SERVER_OPTIONS = { keepAliveTimeout: 30_000, requestTimeout: 0, maxHeaderSize: 1024 * 1024 };
const ADDRESSES = ["127.0.0.1", "::1"] as const;

/**
 * Serves HTTP on the loopback addresses, the one of IPv6 too where there is one: whoever took it would be asked by
 * browsers in our place. Requests and answers keep the headers as they were written, so that a doubled Host or Origin can
 * be seen.
 *
 * @param port 0 takes a free one
 * @throws {HandlerError} `conflict` where the port is taken
 */
export async function serveFront(port: number, handlers: FrontHandlers): Promise<FrontServer> {
  const open: Open = { upgraded: new Set(), answers: new Set() };
  const servers: Server[] = [];
  globalThis.addEventListener("unhandledrejection", forgive); // once, however often it is added; it may come late
  const end = async () => {
    for (const socket of open.upgraded) socket.destroy();
    for (const answer of open.answers) endNow(answer, 503, new Error("the server stops"));
    await Promise.all(servers.map(closed));
  };
  let ended: Promise<void> | undefined;
  const stop = () => ended ??= end();
  try {
    let taken = port;
    for (const address of ADDRESSES) {
      const server = frontServer(handlers, open);
      const got = await listening(server, taken, address);
      if (got === undefined) continue;
      servers.push(server);
      taken = got;
    }
    return { port: taken, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * When the answer of a server on a unix socket is given up, as for a client that has left, Deno 2.6 rejects a promise of
 * its own, which nobody can catch and which would end the program.
 */
function forgive(event: PromiseRejectionEvent): void {
  if (event.reason instanceof Deno.errors.Interrupted) event.preventDefault();
}

/** What is under way: at a stop it is ended, for an older Deno waits for ever for what nobody ends. */
interface Open {
  readonly upgraded: Set<Duplex>;
  readonly answers: Set<ServerResponse>;
}

function frontServer(handlers: FrontHandlers, { upgraded, answers }: Open): Server {
  const server = createServer(SERVER_OPTIONS, (incoming, outgoing) => {
    answers.add(outgoing);
    const { request, closed } = frontRequest(incoming, outgoing);
    handlers.request(request, frontResponse(incoming, outgoing)).catch((error) => {
      endNow(outgoing, 500, error instanceof Error ? error : new Error("it failed"));
    }).finally(() => {
      answers.delete(outgoing);
      closed();
    });
  });
  server.on("upgrade", (incoming, socket, head) => {
    upgraded.add(socket);
    socket.on("error", () => {}); // a client may go at any moment
    socket.on("close", () => upgraded.delete(socket));
    void handOn(handlers, incoming, socket, head);
  });
  return server;
}

/**
 * Ends an answer wherever it stands. An older Deno counts one as ended only where it had a head and an end, or was
 * destroyed with an error behind its head.
 */
function endNow(outgoing: ServerResponse, status: number, error: Error): void {
  if (outgoing.headersSent) return void outgoing.destroy(error);
  outgoing.writeHead(status, { connection: "close", "content-length": 0 });
  outgoing.end();
}

/** @returns the port, or undefined where the machine does not have this address */
function listening(server: Server, port: number, address: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (["EADDRNOTAVAIL", "EAFNOSUPPORT"].includes(error.code ?? "")) return resolve(undefined);
      const taken = error.code === "EADDRINUSE";
      reject(taken ? new HandlerError("conflict", `the port ${port} is taken by another program`) : error);
    });
    server.listen(port, address, () => resolve((server.address() as { port: number }).port));
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((stopped) => {
    server.close(() => stopped());
    server.closeAllConnections();
  });
}

function frontRequest(incoming: IncomingMessage, outgoing: ServerResponse | Duplex) {
  const gone = new AbortController();
  const close = () => gone.abort(new HandlerError("cancelled", "the client is gone"));
  outgoing.once("close", close);
  incoming.once("error", close); // all that an older Deno tells of a client that leaves while it sends
  const request: FrontRequest = {
    method: incoming.method ?? "GET",
    target: incoming.url ?? "",
    headers: rawHeaders(incoming),
    gone: gone.signal,
    cut: () => cut(outgoing),
    text: (limit) => bodyText(incoming, limit),
    pieces: () => incoming as AsyncIterable<Uint8Array>,
  };
  return { request, closed: () => outgoing.off("close", close) };
}

function cut(outgoing: ServerResponse | Duplex): void {
  const error = new Error("it was cut");
  if ("writeHead" in outgoing) endNow(outgoing, 401, error);
  else outgoing.destroy(error);
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
      outgoing.writeHead(status, headerRecord(headers));
      if (body === undefined || body instanceof Uint8Array) {
        if (body) outgoing.write(body);
      } else await sendPieces(outgoing, body);
      await drained(incoming);
      outgoing.end();
    },
    forward: (to) => forward(incoming, outgoing, to),
  };
}

async function handOn(handlers: FrontHandlers, incoming: IncomingMessage, socket: Duplex, head: Uint8Array) {
  const { request } = frontRequest(incoming, socket);
  try {
    const outcome = await handlers.upgrade(request);
    if ("refuse" in outcome) refuseUpgrade(socket, outcome.refuse);
    else await joinWebSocket(request.method, socket, head, outcome.to);
  } catch {
    refuseUpgrade(socket, 502);
  }
}
