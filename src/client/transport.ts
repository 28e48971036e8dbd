import { HandlerError, type Json, linesOf } from "../base/mod.ts";
import { errorOf, isWireError, rebuilt } from "./errors.ts";

/** Carries a request to the daemon's API and its answer back; `path` begins after `/v1/`. */
export interface Sender extends Disposable {
  /** @throws {HandlerError} `unreachable` where no daemon answers */
  send(path: string, init: RequestInit): Promise<Response>;
}

/** What a request carries besides its path. */
interface Sent {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: Json;
  readonly bytes?: Uint8Array<ArrayBuffer> | Blob;
  /** What the bytes are; bytes of no known kind otherwise. */
  readonly type?: string;
  /** A body that is sent while it is made. */
  readonly stream?: ReadableStream<Uint8Array>;
  readonly signal?: AbortSignal;
}

/** Requests to the daemon, and its answers and errors as values. */
export class Transport implements Disposable {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Sends a request and gives the JSON of its answer; undefined where the answer has no body. */
  async ask<T>(path: string, sent: Sent = {}): Promise<T> {
    const response = await this.send(path, sent);
    const text = await this.#whole(response);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  /** Sends a request; an answer that is an error rejects as the error that the daemon threw. */
  async send(path: string, sent: Sent): Promise<Response> {
    const response = await this.#sender.send(path, init(sent));
    if (response.ok) return response;
    throw errorOf(jsonOf(await this.#whole(response)), response.status);
  }

  /** The result of long work; each line of progress is told to `onProgress` when it comes. */
  async follow<T, P = string>(path: string, json: Json, onProgress: (line: P) => void): Promise<T> {
    const response = await this.send(path, { method: "POST", json });
    for await (const line of linesOf(chunksOf(response))) {
      const event = JSON.parse(line) as { progress?: P; result?: T; error?: unknown };
      if (event.progress !== undefined) onProgress(event.progress);
      else if (isWireError(event.error)) throw rebuilt(event.error);
      else if ("result" in event) return event.result as T;
    }
    throw lost();
  }

  [Symbol.dispose](): void {
    this.#sender[Symbol.dispose]();
  }

  async #whole(response: Response): Promise<string> {
    try {
      return await response.text();
    } catch (error) {
      throw lost(error);
    }
  }
}

function init({ method = "GET", headers, json, bytes, type, stream, signal }: Sent): RequestInit {
  const content = json === undefined ? type ?? "application/octet-stream" : "application/json";
  const body = json === undefined ? bytes ?? stream : JSON.stringify(json);
  return {
    method,
    headers: { ...headers, ...(body !== undefined && { "content-type": content }) },
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  };
}

/** The pieces of an answer's body; a connection that breaks is an error of its own. */
export async function* chunksOf(response: Response, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  if (!response.body) return;
  try {
    for await (const chunk of response.body) yield chunk;
  } catch (error) {
    if (signal?.aborted) return;
    throw lost(error);
  }
}

function lost(cause?: unknown): HandlerError {
  const details = { hint: "see whether it still runs with `handler status`", cause };
  return new HandlerError(
    "unreachable",
    "handlerd closed the connection before its answer was whole",
    details,
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
