import { concatBytes, HandlerError, utf8, utf8Text, within } from "../../base/mod.ts";
import { type Connection, writeWhole } from "../../platform/mod.ts";
import type { EgressRule } from "../spec.ts";
import { splitHostPort } from "./dial.ts";
import type { EgressGate } from "./gate.ts";
import { admits } from "./rules.ts";

const HEAD_MS = 30_000;
const MAX_HEAD = 16 * 1024;
const END_OF_HEAD = utf8("\r\n\r\n");

/** The head of a request to the proxy. */
interface Head {
  readonly method: string;
  readonly target: string;
  readonly lines: readonly string[];
  /** What came after the head. */
  readonly rest: Uint8Array;
}

/**
 * Serves one connection of an HTTP proxy: `CONNECT host:port`, or a request with an absolute `http://` URL. Only what
 * a rule admits is dialled. With a `credential` the client must show it (`Proxy-Authorization: Basic`).
 */
export async function serveProxy(
  near: Connection,
  rules: readonly EgressRule[],
  gate: EgressGate,
  credential?: string,
): Promise<void> {
  try {
    const head = await within(HEAD_MS, "reading the request", readHead(near));
    if (head) await answer(near, head, rules, gate, credential);
  } catch (error) {
    if (error instanceof HandlerError) await reply(near, 400, "Bad Request", error.message).catch(() => {});
  }
}

async function answer(
  near: Connection,
  head: Head,
  rules: readonly EgressRule[],
  gate: EgressGate,
  credential: string | undefined,
): Promise<void> {
  if (credential !== undefined && !showsCredential(head, credential)) {
    return await reply(near, 407, "Proxy Authentication Required", "this proxy belongs to another sandbox");
  }
  const [host, port] = destination(head);
  const rule = admits(rules, host, port);
  if (!rule) {
    const why = "no egress rule of the sandbox admits this destination";
    gate.refuse(host, port, why);
    return await reply(near, 403, "Forbidden", `${host}:${port}: ${why}`);
  }
  await gate.connect(near, rule, {
    opened: (far) =>
      head.method === "CONNECT" ? openTunnel(near, far, head) : writeWhole(far, originForm(head)),
    refused: (error) => reply(near, error.kind === "denied" ? 403 : 502, "Not Dialled", error.message),
  });
}

async function openTunnel(near: Connection, far: Connection, head: Head): Promise<void> {
  await writeWhole(near, utf8("HTTP/1.1 200 Connection established\r\n\r\n"));
  if (head.rest.length > 0) await writeWhole(far, head.rest);
}

function destination(head: Head): [string, number] {
  if (head.method === "CONNECT") return splitHostPort(head.target);
  const url = URL.canParse(head.target) ? new URL(head.target) : undefined;
  if (url?.protocol !== "http:") {
    throw new HandlerError("invalid", "a proxy request names a host:port or an http URL");
  }
  return [url.hostname.replace(/^\[|\]$/g, ""), Number(url.port || 80)];
}

/** The request as the server itself expects it, for this one exchange. */
function originForm(head: Head): Uint8Array {
  const url = new URL(head.target);
  const kept = head.lines.filter((line) => !/^(proxy-[a-z-]+|connection|keep-alive|host)\s*:/i.test(line));
  const lines = [
    `${head.method} ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    "Connection: close",
    ...kept,
  ];
  return concatBytes([utf8(lines.join("\r\n") + "\r\n\r\n"), head.rest]);
}

function showsCredential(head: Head, credential: string): boolean {
  const line = head.lines.find((one) => /^proxy-authorization\s*:/i.test(one));
  const shown = /:\s*basic\s+(\S+)\s*$/i.exec(line ?? "")?.[1];
  return shown !== undefined && shown === btoa(`sandbox:${credential}`);
}

async function readHead(near: Connection): Promise<Head | undefined> {
  let held = new Uint8Array();
  const buffer = new Uint8Array(4096);
  for (;;) {
    const end = indexOf(held, END_OF_HEAD);
    if (end >= 0) return parseHead(held, end);
    if (held.length > MAX_HEAD) {
      throw new HandlerError("invalid", `a request head has at most ${MAX_HEAD} bytes`);
    }
    const count = await near.read(buffer);
    if (count === null) return undefined;
    held = concatBytes([held, buffer.subarray(0, count)]);
  }
}

function parseHead(bytes: Uint8Array, end: number): Head {
  const [first = "", ...lines] = utf8Text(bytes.subarray(0, end)).split("\r\n");
  const match = /^([A-Z]+) (\S+) HTTP\/1\.[01]$/.exec(first);
  if (!match) throw new HandlerError("invalid", "the request line is not HTTP/1.1");
  return { method: match[1]!, target: match[2]!, lines, rest: bytes.slice(end + END_OF_HEAD.length) };
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  for (let at = 0; at + wanted.length <= bytes.length; at++) {
    if (wanted.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
}

async function reply(near: Connection, code: number, reason: string, text: string): Promise<void> {
  const body = utf8(text + "\n");
  const auth = code === 407 ? 'Proxy-Authenticate: Basic realm="sandbox"\r\n' : "";
  const head = `HTTP/1.1 ${code} ${reason}\r\nContent-Type: text/plain; charset=utf-8\r\n${auth}` +
    `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
  await writeWhole(near, concatBytes([utf8(head), body]));
}
