import { deferred, isObject, within } from "../../base/mod.ts";
import { closeQuietly, type Connection, connectUnix } from "../../platform/mod.ts";
import {
  FrameWriter,
  HANDSHAKE_VERSIONS,
  LATEST_HANDSHAKE,
  type Message,
  MessageError,
  notificationText,
  readFrames,
  readMessage,
  type RequestId,
  requestText,
} from "../../wire/mod.ts";
import type { Cancellation } from "./cancellation.ts";
import { CallFailure, unavailable, UNAVAILABLE_TEXT } from "./failure.ts";
import type { Piece } from "./pieces.ts";

/** What a connector reports on the way. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  /** The message as a piece of the answer, where the caller asked for pieces. */
  readonly piece?: Piece;
}

/** One call on its way to a connector. */
export interface UpstreamCall {
  readonly tool: string;
  /** The arguments as JSON text; for a call without files the very text that the caller sent. */
  readonly argumentsText: string;
  readonly traceparent: string | undefined;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  /** Whether the connector is asked for pieces of its answer, as the messages of its progress. */
  readonly inPieces: boolean;
  readonly cancellation: Cancellation;
}

/** What is asked and not yet answered; of a handshake's questions there is no call. */
interface Pending {
  resolve(answer: Message): void;
  reject(reason: unknown): void;
  readonly call: UpstreamCall | undefined;
}

/** In a request's `_meta`: the messages of its progress are to be pieces of its answer. */
export const PIECES = "handler/pieces";

/** How much noise between frames is put up with on one connection before it is given up. */
const NOISE_LIMIT = 100;

/**
 * The router's end of a connection to a connector: many calls at once, told apart by numbers of its own. Whoever
 * floods it or breaks the protocol loses this connection and the calls on it, nobody else's (contract S.11).
 */
export class Upstream {
  readonly #connection: Connection;
  readonly #writer: FrameWriter;
  readonly #pending = new Map<number, Pending>();
  readonly #closed = deferred<void>();
  #nextId = 1;
  #noise = 0;
  #open = true;

  private constructor(connection: Connection, limit: number) {
    this.#connection = connection;
    this.#writer = new FrameWriter(connection, () => this.#fail("the connection broke"));
    readFrames(connection, limit, (frames) => frames.forEach((frame) => this.#take(frame)))
      .then(
        () => this.#fail("the connector closed the connection"),
        (error) => this.#fail(String(error.message)),
      );
  }

  /** Connects and shakes hands; the connector must speak a known revision within `timeoutMs`. */
  static async connect(socket: string, limit: number, timeoutMs: number): Promise<Upstream> {
    const upstream = new Upstream(await connectUnix(socket), limit);
    try {
      await within(timeoutMs, "the connector's handshake", upstream.#handshake());
      return upstream;
    } catch (error) {
      upstream.close();
      throw error;
    }
  }

  async #handshake(): Promise<void> {
    const answer = await this.#request("initialize", {
      protocolVersion: LATEST_HANDSHAKE,
      capabilities: {},
      clientInfo: { name: "handler", version: "1" },
    });
    const version = isObject(answer.result) ? answer.result.protocolVersion : undefined;
    if (!(HANDSHAKE_VERSIONS as readonly unknown[]).includes(version)) {
      throw unavailable(UNAVAILABLE_TEXT, "the connector speaks no known revision of MCP");
    }
    this.#writer.send(notificationText("notifications/initialized", {}));
  }

  /** The names of the tools that the connector serves. */
  async tools(): Promise<readonly string[]> {
    const { result } = await this.#request("tools/list", {});
    const tools = isObject(result) && Array.isArray(result.tools) ? result.tools : [];
    return tools.flatMap((tool) => isObject(tool) && typeof tool.name === "string" ? [tool.name] : []);
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Resolves when the connection has ended. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  #request(method: string, params: unknown): Promise<Message> {
    return this.#ask((id) => requestText(id, method, JSON.stringify(params)), undefined);
  }

  #ask(text: (id: number) => string, call: UpstreamCall | undefined): Promise<Message> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, call });
      call?.cancellation.onCancel(() => this.#cancel(id, call.cancellation.reason));
      this.#writer.send(text(id));
    });
  }

  /**
   * Sends a call and waits for its response. A cancelled one is cancelled at the connector and rejects at once.
   * @throws {CallFailure} `unavailable` when the connection ends first
   */
  call(call: UpstreamCall): Promise<Message> {
    if (!this.#open) throw unavailable(UNAVAILABLE_TEXT, "the connector is gone");
    call.cancellation.throwIfCancelled();
    return this.#ask((id) => callText(id, call), call);
  }

  #cancel(id: number, reason: unknown): void {
    this.#writer.send(notificationText("notifications/cancelled", { requestId: id }));
    this.#settled(id)?.reject(reason);
  }

  /** Takes out what waits for this answer. */
  #settled(id: RequestId | undefined): Pending | undefined {
    const pending = typeof id === "number" ? this.#pending.get(id) : undefined;
    if (!pending) return undefined; // cancelled meanwhile, or never asked
    this.#pending.delete(id as number);
    pending.call?.cancellation.forget();
    return pending;
  }

  #take(frame: Uint8Array): void {
    let message: Message;
    try {
      message = readMessage(frame);
    } catch (error) {
      return this.#hear(error instanceof MessageError ? error : undefined);
    }
    if (message.kind === "response") this.#settled(message.id)?.resolve(message);
    else if (message.method === "notifications/progress") this.#progress(message.params);
    else if (message.kind === "request") this.#refuse(message);
  }

  #progress(params: Message["params"]): void {
    const pending = typeof params.progressToken === "number"
      ? this.#pending.get(params.progressToken)
      : undefined;
    if (!pending?.call?.onProgress || typeof params.progress !== "number") return;
    pending.call.onProgress({
      progress: params.progress,
      ...(typeof params.total === "number" ? { total: params.total } : {}),
      ...(typeof params.message === "string" ? { message: params.message } : {}),
    });
  }

  /** A connector may ask nothing of the router. */
  #refuse(message: Message): void {
    const error = { code: -32601, message: "the router takes no requests" };
    this.#writer.send(JSON.stringify({ jsonrpc: "2.0", id: message.id, error }) + "\n");
  }

  /** Noise: where one call is under way it is that call's; a broken answer with an id is its call's alone. */
  #hear(error: MessageError | undefined): void {
    const id = typeof error?.id === "number"
      ? error.id
      : this.#pending.size === 1
      ? [...this.#pending.keys()][0]
      : -1;
    const why = "the connector sent what is no message";
    this.#settled(id)?.reject(unavailable(UNAVAILABLE_TEXT, why));
    if (++this.#noise > NOISE_LIMIT) this.#fail("the connector sent too much noise");
  }

  #fail(why: string): void {
    if (!this.#open) return;
    this.#open = false;
    closeQuietly(this.#connection);
    for (const id of this.#pending.keys()) this.#settled(id)?.reject(unavailable(UNAVAILABLE_TEXT, why));
    this.#closed.resolve();
  }

  /** Ends the connection; calls under way fail as `unavailable`. */
  close(): void {
    this.#fail("the connection was closed");
  }

  /** As {@linkcode close}, once what was sent (a cancellation, say) has left. */
  async closeAfterSent(): Promise<void> {
    await this.#writer.flushed();
    this.close();
  }
}

function callText(id: number, call: UpstreamCall): string {
  const { tool, argumentsText, traceparent, onProgress, inPieces } = call;
  const params = `{"name":${JSON.stringify(tool)},"arguments":${argumentsText}`;
  if (!onProgress && !traceparent) return requestText(id, "tools/call", `${params}}`);
  const meta = {
    ...onProgress && { progressToken: id },
    ...inPieces && { [PIECES]: true },
    ...traceparent && { traceparent },
  };
  return requestText(id, "tools/call", `${params},"_meta":${JSON.stringify(meta)}}`);
}

/** Whether an error means that another binding may be tried. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof CallFailure && error.code === "unavailable";
}
