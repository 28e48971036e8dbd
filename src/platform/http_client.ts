import { HandlerError, utf8 } from "../base/mod.ts";
import { HttpConnection, type ReceivedAnswer, type SentRequest, SourceError } from "./http_connection.ts";

/** Sends HTTP requests to one unix socket. */
export interface HttpClient extends Disposable {
  /**
   * As `fetch`; the URL's host is only what the `Host` header says. A redirect is an answer like others. A body is text,
   * bytes, a blob or a stream.
   *
   * @throws {HandlerError} `unreachable` where no answer comes
   * @throws the signal's reason once that is aborted; what the source of a body throws
   */
  fetch(url: string, init?: RequestInit): Promise<Response>;
}

/** Connections that nothing is asked on; more are not kept. */
const KEPT = 8;

/**
 * A client of the HTTP server on a unix socket. Nothing is connected before the first request, and never anything but this
 * socket: Deno's own `fetch` over a socket looks the URL's host up by DNS where the server is gone. Disposing of it ends
 * what is under way.
 */
export function httpClientUnix(path: string): HttpClient {
  const line = new Line(path);
  return {
    async fetch(url, init = {}) {
      init.signal?.throwIfAborted();
      const request = requestOf(new URL(url), init);
      try {
        return await line.ask(request, init.signal ?? undefined);
      } catch (error) {
        if (init.signal?.aborted) throw init.signal.reason;
        if (error instanceof SourceError) throw error.cause;
        throw new HandlerError("unreachable", `nobody answers on ${path}`, { cause: error });
      }
    },
    [Symbol.dispose]: () => line[Symbol.dispose](),
  };
}

/** The connections to one socket. */
class Line implements Disposable {
  readonly #path: string;
  readonly #open = new Set<HttpConnection>();
  #ended = false;

  constructor(path: string) {
    this.#path = path;
  }

  async ask(request: SentRequest, signal: AbortSignal | undefined): Promise<Response> {
    const kept = onlyReads(request) ? this.#free() : undefined;
    if (kept) {
      try {
        return await this.#askOn(kept, request, signal);
      } catch (error) {
        if (signal?.aborted) throw error;
      }
    }
    return await this.#askOn(await this.#connect(), request, signal);
  }

  #free(): HttpConnection | undefined {
    return this.#open.values().find(({ isFree }) => isFree);
  }

  async #connect(): Promise<HttpConnection> {
    const connection = await HttpConnection.open(this.#path);
    if (this.#ended) {
      connection[Symbol.dispose]();
      throw new Error("the client is closed");
    }
    this.#open.add(connection);
    return connection;
  }

  async #askOn(connection: HttpConnection, request: SentRequest, signal?: AbortSignal): Promise<Response> {
    const stop = () => connection[Symbol.dispose]();
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
    const over = () => {
      signal?.removeEventListener("abort", stop);
      this.#settle(connection);
    };
    try {
      return responseOf(await connection.ask(request), over, signal);
    } catch (error) {
      over();
      throw error;
    }
  }

  #settle(connection: HttpConnection): void {
    const free = this.#open.values().filter(({ isFree }) => isFree);
    if (connection.isFree && [...free].length <= KEPT) return;
    connection[Symbol.dispose]();
    this.#open.delete(connection);
  }

  [Symbol.dispose](): void {
    this.#ended = true;
    for (const connection of this.#open) connection[Symbol.dispose]();
    this.#open.clear();
  }
}

/** Only what reads is asked on a kept connection: the server may close that in the same moment, and it is asked again then. */
function onlyReads({ method, body }: SentRequest): boolean {
  return (method === "GET" || method === "HEAD") && body === undefined;
}

function requestOf(url: URL, { method = "GET", headers, body }: RequestInit): SentRequest {
  const named = new Headers(headers);
  named.delete("content-length");
  if (typeof body === "string" && !named.has("content-type")) {
    named.set("content-type", "text/plain;charset=UTF-8");
  }
  if (body instanceof Blob && body.type !== "" && !named.has("content-type")) {
    named.set("content-type", body.type);
  }
  return {
    method: method.toUpperCase(),
    target: url.pathname + url.search,
    headers: [["host", url.host], ...named],
    body: bodyOf(body),
  };
}

function bodyOf(body: RequestInit["body"]): SentRequest["body"] {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string") return utf8(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ReadableStream) return { pieces: body };
  if (body instanceof Blob) return { pieces: body.stream(), size: body.size };
  throw new TypeError("a body is text, bytes, a blob or a stream");
}

function responseOf(answer: ReceivedAnswer, over: () => void, signal: AbortSignal | undefined): Response {
  const { status, pieces } = answer;
  const headers = new Headers(answer.headers.map(([name, value]): [string, string] => [name, value]));
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (!done) return controller.enqueue(value as Uint8Array<ArrayBuffer>);
        over();
        controller.close();
      } catch (error) {
        over();
        controller.error(signal?.aborted ? signal.reason : error);
      }
    },
    async cancel() {
      over();
      await pieces.return(undefined);
    },
  }, { highWaterMark: 0 });
  if (answer.body !== 0) return new Response(body, { status, headers });
  void body.getReader().read(); // frees the connection
  return new Response(null, { status, headers });
}
