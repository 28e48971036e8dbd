import {
  type AnswerHead,
  ByteReader,
  chunk,
  LAST_CHUNK,
  readBody,
  readHead,
  requestHead,
} from "./http_wire.ts";
import type { RawHeader } from "./raw_headers.ts";

/** A request as it goes out; where a body comes in pieces, `size` says how long it is if that is known. */
export interface SentRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly RawHeader[];
  readonly body:
    | Uint8Array
    | { readonly pieces: AsyncIterable<Uint8Array>; readonly size?: number }
    | undefined;
}

/** An answer as it comes in. */
export interface ReceivedAnswer extends AnswerHead {
  /** To be read once. */
  readonly pieces: AsyncGenerator<Uint8Array>;
}

/** The source of a request's body failed. */
export class SourceError extends Error {}

/** Bytes of a body up to here go out together with the head. */
const SMALL = 64 * 1024;

/** One connection to a unix socket, on which one request after the other is sent. */
export class HttpConnection implements Disposable {
  readonly #connection: Deno.Conn;
  readonly #reader: ByteReader;
  #sourceError: SourceError | undefined;
  #state: "free" | "busy" | "closed" = "free";

  private constructor(connection: Deno.Conn) {
    this.#connection = connection;
    this.#reader = new ByteReader((into) => connection.read(into));
  }

  /** @throws where nobody listens */
  static async open(path: string): Promise<HttpConnection> {
    return new HttpConnection(await Deno.connect({ transport: "unix", path }));
  }

  /** Whether another request can be sent: the last answer was read to its end, and the server did not say that it closes. */
  get isFree(): boolean {
    return this.#state === "free";
  }

  /**
   * Sends a request and gives the answer as soon as its head is there, which may be before the body is sent.
   *
   * @throws {SourceError} where the body's source fails
   * @throws where no answer comes
   */
  async ask(request: SentRequest): Promise<ReceivedAnswer> {
    this.#state = "busy";
    let sent = false;
    // a server may answer without reading all: what counts is the answer
    this.#send(request).then(() => sent = true, () => {});
    try {
      const head = await readHead(this.#reader, request.method);
      return { ...head, pieces: this.#pieces(head, () => sent) };
    } catch (error) {
      this[Symbol.dispose]();
      throw this.#sourceError ?? error;
    }
  }

  async *#pieces(head: AnswerHead, sent: () => boolean): AsyncGenerator<Uint8Array> {
    let whole = false;
    try {
      yield* readBody(this.#reader, head.body);
      whole = true;
    } finally {
      if (whole && head.stays && sent() && !this.#reader.holds && this.#state === "busy") {
        this.#state = "free";
      } else this[Symbol.dispose]();
    }
  }

  async #send({ method, target, headers, body }: SentRequest): Promise<void> {
    const head = requestHead(method, target, [...headers, ...framing(method, body)]);
    if (body === undefined) return await this.#write(head);
    if (!(body instanceof Uint8Array)) {
      await this.#write(head);
      return await this.#sendPieces(body.pieces, body.size);
    }
    if (body.length > SMALL) {
      await this.#write(head);
      return await this.#write(body);
    }
    const both = new Uint8Array(head.length + body.length);
    both.set(head);
    both.set(body, head.length);
    await this.#write(both);
  }

  async #sendPieces(pieces: AsyncIterable<Uint8Array>, size: number | undefined): Promise<void> {
    let left = size ?? 0;
    for await (const piece of this.#watched(pieces)) {
      left -= piece.length;
      if (size !== undefined && left < 0) throw this.#fail(new Error("a body is longer than it said"));
      if (piece.length > 0) await this.#write(size === undefined ? chunk(piece) : piece);
    }
    if (size === undefined) await this.#write(LAST_CHUNK);
    else if (left > 0) throw this.#fail(new Error("a body is shorter than it said"));
  }

  /** The pieces of a source; where it fails, the server must not take what it has for all. */
  async *#watched(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* pieces;
    } catch (error) {
      throw this.#fail(error);
    }
  }

  #fail(cause: unknown): SourceError {
    this.#sourceError = new SourceError("the body could not be made", { cause });
    this[Symbol.dispose]();
    return this.#sourceError;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let rest = bytes; rest.length > 0;) {
      rest = rest.subarray(await this.#connection.write(rest));
    }
  }

  /** Ends what is under way. */
  [Symbol.dispose](): void {
    if (this.#state !== "closed") this.#connection.close();
    this.#state = "closed";
  }
}

/** A method that is expected to bring a body says so where there is none (RFC 9110, 8.6). */
function framing(method: string, body: SentRequest["body"]): RawHeader[] {
  if (body === undefined) return /^P(OST|UT|ATCH)$/.test(method) ? [["content-length", "0"]] : [];
  const size = body instanceof Uint8Array ? body.length : body.size;
  return [size === undefined ? ["transfer-encoding", "chunked"] : ["content-length", String(size)]];
}
