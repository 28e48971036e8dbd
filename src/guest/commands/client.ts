import { isObject } from "../../base/mod.ts";
import {
  FrameWriter,
  LATEST_HANDSHAKE,
  type Message,
  notificationText,
  readFrames,
  readMessage,
  requestText,
} from "../../wire/mod.ts";

/** A tool as the service lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly [key: string]: unknown };
}

/** How a call ended: with the structured content, or with an error code of the interface or the platform. */
export type ToolOutcome =
  | { readonly ok: true; readonly structured: unknown; readonly text: string }
  | { readonly ok: false; readonly code: string; readonly message: string };

const FRAME_LIMIT = 64 * 1024 * 1024;

/** A small MCP client of one service socket. */
export class ServiceClient implements Disposable {
  readonly #connection: Deno.UnixConn;
  readonly #writer: FrameWriter;
  readonly #waiting = new Map<number, (message: Message | Error) => void>();
  #nextId = 1;

  private constructor(connection: Deno.UnixConn) {
    this.#connection = connection;
    this.#writer = new FrameWriter(connection, () => this.#gone());
    readFrames(connection, FRAME_LIMIT, (frames) => frames.forEach((frame) => this.#take(readMessage(frame))))
      .catch(() => {}).finally(() => this.#gone());
  }

  /** Connects and shakes hands. */
  static async connect(path: string): Promise<ServiceClient> {
    const client = new ServiceClient(await Deno.connect({ transport: "unix", path }));
    await client.#request("initialize", {
      protocolVersion: LATEST_HANDSHAKE,
      capabilities: {},
      clientInfo: { name: "handler-call", version: "1" },
    });
    client.#writer.send(notificationText("notifications/initialized", {}));
    return client;
  }

  /** The tools that the service has. */
  async tools(): Promise<readonly ListedTool[]> {
    const { result } = await this.#request("tools/list", {});
    return isObject(result) && Array.isArray(result.tools) ? result.tools as ListedTool[] : [];
  }

  /** Calls a tool; an aborted signal cancels the call at the service. */
  async call(name: string, input: unknown, signal: AbortSignal): Promise<ToolOutcome> {
    signal.throwIfAborted();
    const id = this.#nextId;
    const cancel = () => this.#writer.send(notificationText("notifications/cancelled", { requestId: id }));
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const stopped = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(new Error("cancelled")), { once: true });
      });
      return outcomeOf(
        await Promise.race([this.#request("tools/call", { name, arguments: input }), stopped]),
      );
    } finally {
      signal.removeEventListener("abort", cancel);
      await this.#writer.flushed();
    }
  }

  [Symbol.dispose](): void {
    try {
      this.#connection.close();
    } catch {
      // closed by the other end
    }
  }

  #request(method: string, params: unknown): Promise<Message> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, (answer) => answer instanceof Error ? reject(answer) : resolve(answer));
      this.#writer.send(requestText(id, method, JSON.stringify(params)));
    });
  }

  #take(message: Message): void {
    if (message.kind !== "response") return;
    const settle = this.#waiting.get(Number(message.id));
    this.#waiting.delete(Number(message.id));
    settle?.(message);
  }

  #gone(): void {
    for (const settle of this.#waiting.values()) settle(new Error("handlerd closed the connection"));
    this.#waiting.clear();
  }
}

function outcomeOf(message: Message): ToolOutcome {
  if (isObject(message.error)) {
    return { ok: false, code: "invalid_input", message: String(message.error.message) };
  }
  const result = isObject(message.result) ? message.result : {};
  const first: unknown = Array.isArray(result.content) ? result.content[0] : undefined;
  const text = isObject(first) && typeof first.text === "string" ? first.text : "";
  if (result.isError !== true) return { ok: true, structured: result.structuredContent, text };
  const { error, message: why } = JSON.parse(text) as { error: string; message: string };
  return { ok: false, code: error, message: why };
}
