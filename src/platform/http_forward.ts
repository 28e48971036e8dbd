import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { HandlerError } from "../base/mod.ts";
import type { ForwardTo } from "./http_front.ts";
import { headerRecord, rawHeaders } from "./raw_headers.ts";

/**
 * Streams a request to a server on a unix socket and its answer back, at the pace of the slower side. An answer that breaks
 * off in the middle ends the client's connection: it must not wait for the rest, nor take another answer for it.
 *
 * @throws {HandlerError} `unreachable` where nobody listens: nothing of the request was taken then, and it can be sent again
 * @throws where no answer came, before anything was sent to the client, and where it broke off
 */
export function forward(incoming: IncomingMessage, outgoing: ServerResponse, to: ForwardTo): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const asked = request({
    socketPath: to.socket,
    method: incoming.method,
    path: to.path,
    headers: headerRecord(to.headers),
    setHost: false,
    agent: false,
  });
  const gone = () => asked.destroy();
  outgoing.once("close", gone);
  asked.once("response", (answer) => {
    handBack(answer, incoming, outgoing, to).then(resolve, (error) => {
      if (outgoing.headersSent) outgoing.destroy();
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
    reject(connected ? error : new HandlerError("unreachable", "nobody listens there", { cause: error }));
  });
  asked.once("close", () => {
    outgoing.off("close", gone);
    incoming.unpipe(asked);
  });
  asked.once("socket", (socket) =>
    socket.once("connect", () => {
      connected = true;
      incoming.pipe(asked);
    }));
  asked.flushHeaders();
  return promise;
}

async function handBack(
  answer: IncomingMessage,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  to: ForwardTo,
): Promise<void> {
  const status = answer.statusCode ?? 502;
  outgoing.writeHead(status, headerRecord(to.answer(status, rawHeaders(answer))));
  outgoing.flushHeaders(); // an event stream's head must not wait for its first event
  await pipeline(answer, outgoing, { end: false });
  await drained(incoming);
  outgoing.end();
}

/** Takes in what a client still sends of a request that is answered: closing meanwhile can cost it the answer. */
function drained(incoming: IncomingMessage): Promise<void> {
  if (incoming.complete || incoming.destroyed) return Promise.resolve();
  return new Promise((done) => {
    incoming.once("end", done).once("close", done).once("error", () => done());
    incoming.unpipe().resume();
  });
}
