import { utf8 } from "../base/mod.ts";
import type { RawHeader } from "./raw_headers.ts";

/** The beginning of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: readonly RawHeader[];
  /** How far its body goes: so many bytes, in chunks that say their size, or to the end of the connection. */
  readonly body: number | "chunked" | "rest";
  /** Whether the server takes another request on this connection. */
  readonly stays: boolean;
}

/** A head may be this long, all lines together. */
const HEAD_LIMIT = 1024 * 1024;
const SIZE_LINE_LIMIT = 4096;
const PIECE = 64 * 1024;
const CR = 13, LF = 10;

/** The bytes of a connection; what was read beyond a part is kept for the next one. */
export class ByteReader {
  readonly #read: (into: Uint8Array) => Promise<number | null>;
  #held: Uint8Array = new Uint8Array(0);

  constructor(read: (into: Uint8Array) => Promise<number | null>) {
    this.#read = read;
  }

  /** Whether something was read that nobody has taken. */
  get holds(): boolean {
    return this.#held.length > 0;
  }

  /** The next bytes, at most `limit`; undefined at the end. */
  async some(limit: number): Promise<Uint8Array | undefined> {
    if (!this.holds && !await this.#more()) return undefined;
    return this.#take(limit);
  }

  /** The next line without its end. @throws where there is none within `limit` bytes */
  async line(limit: number): Promise<string> {
    for (let from = 0;;) {
      const end = this.#held.indexOf(LF, from);
      if (end >= limit || (end < 0 && this.#held.length >= limit)) throw new Error("a line is too long");
      if (end >= 0) return latin1(this.#take(end + 1));
      from = this.#held.length;
      if (!await this.#more()) throw cutShort();
    }
  }

  #take(limit: number): Uint8Array {
    const taken = this.#held.subarray(0, limit);
    this.#held = this.#held.subarray(taken.length);
    return taken;
  }

  async #more(): Promise<boolean> {
    const piece = new Uint8Array(PIECE);
    const size = await this.#read(piece);
    if (!size) return false;
    const fresh = piece.subarray(0, size);
    this.#held = this.holds ? joined(this.#held, fresh) : fresh;
    return true;
  }
}

function cutShort(): Error {
  return new Error("the connection ended in the middle of an answer");
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** A line as text, each byte a character, without CR and LF at its end. */
function latin1(line: Uint8Array): string {
  const end = line.at(-2) === CR ? -2 : -1;
  let text = "";
  for (const byte of line.subarray(0, end)) text += String.fromCharCode(byte);
  return text;
}

/** The head of a request, ready to be written. */
export function requestHead(method: string, target: string, headers: readonly RawHeader[]): Uint8Array {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  for (const line of lines) {
    if (/[\r\n\0]/.test(line)) throw new TypeError("a line of a request's head holds a line end");
  }
  return Uint8Array.from(lines.join("\r\n") + "\r\n\r\n", (char) => char.charCodeAt(0));
}

/** The head of the answer to a request of this method. @throws where there is no answer, or none of HTTP/1 */
export async function readHead(reader: ByteReader, method: string): Promise<AnswerHead> {
  for (;;) {
    const first = await reader.line(HEAD_LIMIT);
    const [, minor, code] = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: |$)/.exec(first) ?? [];
    if (code === undefined) throw new Error("what answers does not speak HTTP/1");
    const headers = await readHeaders(reader);
    const status = Number(code);
    if (status === 101) throw new Error("it changed the protocol without being asked");
    if (status >= 200) return head(status, minor === "1", headers, method);
  }
}

async function readHeaders(reader: ByteReader): Promise<RawHeader[]> {
  const headers: RawHeader[] = [];
  for (let left = HEAD_LIMIT;;) {
    const line = await reader.line(left);
    left -= line.length + 1;
    if (line === "") return headers;
    const [, name, value] = /^([!#$%&'*+\-.^_`|~\w]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined) throw new Error("a line of an answer's head is no header");
    headers.push([name, value!]);
  }
}

function head(status: number, isNew: boolean, headers: readonly RawHeader[], method: string): AnswerHead {
  const body = bodyOf(status, headers, method);
  const connection = valuesOf(headers, "connection").join().toLowerCase();
  return { status, headers, body, stays: isNew && body !== "rest" && !/\bclose\b/.test(connection) };
}

function bodyOf(status: number, headers: readonly RawHeader[], method: string): AnswerHead["body"] {
  if (method === "HEAD" || [204, 205, 304].includes(status)) return 0;
  const coding = valuesOf(headers, "transfer-encoding").join().toLowerCase();
  if (coding === "chunked") return "chunked";
  if (coding !== "") throw new Error(`an answer is encoded as ${coding}`);
  const sizes = new Set(valuesOf(headers, "content-length"));
  if (sizes.size === 0) return "rest";
  const [size] = sizes;
  if (sizes.size > 1 || !/^\d{1,15}$/.test(size!)) throw new Error("an answer does not say how long it is");
  return Number(size);
}

function valuesOf(headers: readonly RawHeader[], name: string): string[] {
  return headers.filter(([known]) => known.toLowerCase() === name).map(([, value]) => value);
}

/** The pieces of a body. @throws where the connection ends before it does */
export async function* readBody(reader: ByteReader, body: AnswerHead["body"]): AsyncGenerator<Uint8Array> {
  if (body === "chunked") return yield* readChunked(reader);
  if (body !== "rest") return yield* readSized(reader, body);
  for (let piece; (piece = await reader.some(PIECE));) yield piece;
}

async function* readSized(reader: ByteReader, size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0;) {
    const piece = await reader.some(left);
    if (!piece) throw cutShort();
    left -= piece.length;
    yield piece;
  }
}

async function* readChunked(reader: ByteReader): AsyncGenerator<Uint8Array> {
  for (;;) {
    const [, size] = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(await reader.line(SIZE_LINE_LIMIT)) ?? [];
    if (size === undefined) throw new Error("a piece of an answer does not say how long it is");
    if (/^0+$/.test(size)) return void await readHeaders(reader); // trailers, which nobody asked for
    yield* readSized(reader, parseInt(size, 16));
    if (await reader.line(SIZE_LINE_LIMIT) !== "") {
      throw new Error("a piece of an answer is longer than it says");
    }
  }
}

/** A piece of a body whose size is not known before. */
export function chunk(piece: Uint8Array): Uint8Array {
  const size = utf8(`${piece.length.toString(16)}\r\n`);
  return joined(joined(size, piece), utf8("\r\n"));
}

/** What ends such a body. */
export const LAST_CHUNK: Uint8Array = utf8("0\r\n\r\n");
