import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { ForwardTo } from "./http_front.ts";
import { rawHeaders } from "./raw_headers.ts";

/**
 * Streams a request to a server on a unix socket and its answer back, at the pace of the slower side. An answer that breaks
 * off in the middle ends the client's connection: it must not wait for the rest, nor take another answer for it.
 *
 * @throws where no answer came, before anything was sent to the client, and where it broke off
 */
export function forward(incoming: IncomingMessage, outgoing: ServerResponse, to: ForwardTo): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const asked = request({
    socketPath: to.socket,
    method: incoming.method,
    path: to.path,
    headers: to.headers.flat() as unknown as NodeJS.Dict<string>,
    setHost: false,
    agent: false,
  });
  asked.once("response", (answer) => {
    handBack(answer, outgoing, to).then(resolve, (error) => {
      if (outgoing.headersSent) outgoing.destroy();
      answer.destroy();
      reject(error);
    });
  });
  asked.once("upgrade", (_, socket) => {
    socket.destroy();
    reject(new Error("it changed the protocol without being asked"));
  });
  asked.on("error", reject); // once there is an answer, that one counts
  asked.once("close", () => incoming.unpipe(asked).resume());
  outgoing.once("close", () => asked.destroy());
  incoming.pipe(asked);
  return promise;
}

async function handBack(answer: IncomingMessage, outgoing: ServerResponse, to: ForwardTo): Promise<void> {
  const status = answer.statusCode ?? 502;
  outgoing.writeHead(status, to.answer(status, rawHeaders(answer)).flat());
  outgoing.flushHeaders(); // an event stream's head must not wait for its first event
  await pipeline(answer, outgoing);
}
