import { Buffer } from "node:buffer";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ForwardTo } from "./http_front.ts";

const HEAD_LIMIT = 16 * 1024;
const HEAD_END = "\r\n\r\n";
/** What a server may say when it agrees; a cookie or anything else is not its to set. */
const ANSWER = /^(?:upgrade|connection|sec-websocket-(?:accept|protocol|extensions)): [\t\x20-\x7e]*$/i;

/** Tells a client that its connection does not become another protocol's. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}

/**
 * Joins a client with a server on a unix socket: the request line and headers are written anew, of the answer's head only
 * the handshake passes, and everything after it both ways as it is.
 */
export async function joinWebSocket(
  method: string,
  near: Duplex,
  head: Uint8Array,
  to: Omit<ForwardTo, "answer" | "connections">,
): Promise<void> {
  const far = connect(to.socket);
  try {
    const lines = to.headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    far.write(`${method} ${to.path} HTTP/1.1\r\n${lines}\r\n`, "latin1");
    if (head.length > 0) far.write(head);
    const { text, rest } = await answerHead(far, near);
    const lead = handshake(text);
    if (lead === undefined) return refuseUpgrade(near, 502);
    near.write(lead, "latin1");
    if (rest.length > 0) near.write(rest);
    await Promise.allSettled([pipeline(near, far), pipeline(far, near)]);
    near.destroy();
  } finally {
    far.destroy();
  }
}

/** What comes before the empty line, and what has come behind it. */
function answerHead(far: Socket, near: Duplex): Promise<{ text: string; rest: Uint8Array }> {
  return new Promise((resolve, reject) => {
    let got = new Uint8Array(0) as Buffer | Uint8Array;
    const failed = () => reject(new Error("no answer to the handshake"));
    const take = (chunk: Uint8Array) => {
      got = Buffer.concat([got, chunk]);
      const text = Buffer.from(got).toString("latin1"), end = text.indexOf(HEAD_END);
      if (end < 0 && got.length <= HEAD_LIMIT) return;
      far.off("data", take).off("error", failed).off("close", failed).pause();
      near.off("close", failed);
      if (end < 0) failed();
      else resolve({ text: text.slice(0, end), rest: got.subarray(end + HEAD_END.length) });
    };
    far.on("data", take).on("error", failed).on("close", failed);
    near.on("close", failed);
  });
}

/** The head as the client gets it; undefined where the server did not agree. */
function handshake(text: string): string | undefined {
  const [first = "", ...lines] = text.split("\r\n");
  if (!/^HTTP\/1\.1 101(?: |$)/.test(first)) return undefined;
  const kept = lines.filter((line) => ANSWER.test(line));
  return ["HTTP/1.1 101 Switching Protocols", ...kept].join("\r\n") + HEAD_END;
}
