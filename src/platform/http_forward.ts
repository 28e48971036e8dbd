import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { HandlerError } from "../base/mod.ts";
import type { ForwardTo } from "./http_front.ts";
import { isOlder, sendPieces } from "./http_pieces.ts";
import { headerRecord, rawHeaders } from "./raw_headers.ts";

/** A request that came in, where its answer goes, and who is asked. */
interface Forwarding {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly to: ForwardTo;
}

/**
 * Streams a request to a server on a unix socket and its answer back, at the pace of the slower side. An answer that breaks
 * off in the middle ends the client's connection: it must not wait for the rest, nor take another answer for it.
 *
 * @throws {HandlerError} `unreachable` where nobody listens: nothing of the request was taken then, and it can be sent again
 * @throws where no answer came, before anything was sent to the client, and where it broke off
 */
export async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  to: ForwardTo,
): Promise<void> {
  const forwarding = { incoming, outgoing, to };
  if (!mayBeAskedTwice(incoming)) return await askOnce(forwarding, false);
  try {
    await askOnce(forwarding, true);
  } catch (error) {
    if (error !== STALE) throw error;
    await askOnce(forwarding, false);
  }
}

/** Only what reads is sent over a kept connection: the server may have closed that in the same moment. */
function mayBeAskedTwice({ method, headers }: IncomingMessage): boolean {
  const body = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return (method === "GET" || method === "HEAD") && !body;
}

/** A kept connection was closed before it gave any answer. */
const STALE = new Error("the connection was closed meanwhile");

function askOnce(forwarding: Forwarding, kept: boolean): Promise<void> {
  const { incoming, outgoing, to } = forwarding;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const asked = request({
    socketPath: to.socket,
    method: incoming.method,
    path: to.path,
    headers: headerRecord(to.headers),
    setHost: false,
    agent: kept ? to.connections.agent : false,
  });
  const gone = () => {
    asked.destroy();
    reject(new Error("the client is gone")); // an older Deno does not say that a request was given up
  };
  outgoing.once("close", gone);
  incoming.once("error", gone); // all that an older Deno tells of a client that leaves while it sends
  asked.once("response", (answer) => {
    handBack(answer, forwarding).then(resolve, (error) => {
      // without an error an older Deno ends nothing
      if (outgoing.headersSent) outgoing.destroy(error instanceof Error ? error : undefined);
      answer.destroy();
      reject(error);
    });
  });
  asked.once("upgrade", (_, socket) => {
    socket.destroy();
    reject(new Error("it changed the protocol without being asked"));
  });
  let connected = false;
  asked.on("error", (error) => { // once there is an answer, that one counts
    if (asked.reusedSocket) reject(STALE);
    else {reject(
        connected ? error : new HandlerError("unreachable", "nobody listens there", { cause: error }),
      );}
  });
  asked.once("close", () => {
    outgoing.off("close", gone);
    incoming.off("error", gone);
    incoming.unpipe(asked);
  });
  whenConnected(asked, () => {
    connected = true;
    if (!kept) incoming.pipe(asked);
  });
  if (kept) asked.end();
  else asked.flushHeaders();
  return promise;
}

/** Nothing of a body is read before there is somebody to give it to. */
function whenConnected(asked: ClientRequest, act: () => void): void {
  asked.once("socket", (socket: Socket) => {
    if (socket.connecting) socket.once("connect", act);
    else act();
  });
}

/** More bytes than this are not held for one client. */
const MUCH = 1024 * 1024;

async function handBack(answer: IncomingMessage, { incoming, outgoing, to }: Forwarding): Promise<void> {
  const status = answer.statusCode ?? 502;
  outgoing.writeHead(status, headerRecord(to.answer(status, rawHeaders(answer))));
  if (isOlder(outgoing) && mayBeLarge(answer, incoming.method)) await sendPieces(outgoing, answer);
  else {
    // the head of a stream must not wait for its first piece
    if (answer.headers["content-length"] === undefined) outgoing.flushHeaders();
    await passOn(answer, outgoing);
  }
  await drained(incoming);
  outgoing.end();
}

/** Whether an answer has a body that should not wait in memory. */
function mayBeLarge({ statusCode, headers }: IncomingMessage, method: string | undefined): boolean {
  if (method === "HEAD" || statusCode === 204 || statusCode === 304) return false;
  return Number(headers["content-length"] ?? Infinity) > MUCH;
}

/** All of an answer's body, at the client's pace; `pipeline` of node takes several times as long for a small one. */
function passOn(answer: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  return new Promise((done, failed) => {
    const cut = () => failed(new Error("the answer was broken off"));
    const left = () => failed(new Error("the client is gone"));
    outgoing.once("close", left);
    answer.once("error", cut).once("aborted", cut).once("close", cut).once("end", () => {
      outgoing.off("close", left);
      done();
    });
    answer.pipe(outgoing, { end: false });
  });
}

/** Takes in what a client still sends of a request that is answered: closing meanwhile can cost it the answer. */
export function drained(incoming: IncomingMessage): Promise<void> {
  if (incoming.complete || incoming.readableEnded || incoming.destroyed) return Promise.resolve();
  return new Promise((done) => {
    incoming.once("end", done).once("close", done).once("error", () => done());
    incoming.unpipe().resume();
  });
}
