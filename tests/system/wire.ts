/**
 * A caller's end of a service socket that keeps every byte: what it was sent, frame by frame, as it came.
 * @module
 */

/** A message as it is read here. */
// deno-lint-ignore no-explicit-any -- messages of the wire, read loosely
export type Message = any;

/** An open connection to a service. */
export interface Wire extends Disposable {
  /** Every frame that came, as text, in order. */
  readonly frames: readonly string[];
  /** Sends a request; the answer is the whole message. */
  ask(method: string, params?: unknown, id?: number | string): Promise<Message>;
  tell(method: string, params: unknown): Promise<void>;
  /** Calls a tool; `meta` is the request's `_meta`. */
  call(tool: string, input: unknown, meta?: Readonly<Record<string, unknown>>): Promise<Message>;
  /** Resolves once the other end has closed. */
  readonly closed: Promise<void>;
}

/** Connects to a service's socket and shakes hands. */
export async function openWire(path: string): Promise<Wire> {
  const wire = new SocketWire(await Deno.connect({ transport: "unix", path }));
  await wire.ask("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "tests", version: "1" },
  });
  await wire.tell("notifications/initialized", {});
  return wire;
}

class SocketWire implements Wire {
  readonly frames: string[] = [];
  readonly closed: Promise<void>;
  readonly #connection: Deno.Conn;
  readonly #waiting = new Map<number | string, PromiseWithResolvers<Message>>();
  #next = 1;

  constructor(connection: Deno.Conn) {
    this.#connection = connection;
    this.closed = this.#read();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    const buffer = new Uint8Array(256 * 1024);
    let rest = "";
    try {
      for (let count; (count = await this.#connection.read(buffer)) !== null;) {
        const lines = (rest + decoder.decode(buffer.subarray(0, count), { stream: true })).split("\n");
        rest = lines.pop()!;
        lines.filter(Boolean).forEach((line) => this.#take(line));
      }
    } catch {
      // closed here
    }
    for (const { reject } of this.#waiting.values()) reject(new Error("the service closed the connection"));
  }

  #take(line: string): void {
    this.frames.push(line);
    const message = JSON.parse(line);
    if (message.method !== undefined) return;
    this.#waiting.get(message.id)?.resolve(message);
    this.#waiting.delete(message.id);
  }

  ask(method: string, params: unknown = {}, id: number | string = this.#next++): Promise<Message> {
    const answer = Promise.withResolvers<Message>();
    answer.promise.catch(() => {}); // a test that fails elsewhere leaves calls that nobody waits for
    this.#waiting.set(id, answer);
    this.#send({ jsonrpc: "2.0", id, method, params }).catch(answer.reject);
    return answer.promise;
  }

  tell(method: string, params: unknown): Promise<void> {
    return this.#send({ jsonrpc: "2.0", method, params });
  }

  call(name: string, input: unknown, meta?: Readonly<Record<string, unknown>>): Promise<Message> {
    return this.ask("tools/call", { name, arguments: input, ...(meta ? { _meta: meta } : {}) });
  }

  async #send(message: unknown): Promise<void> {
    const bytes = new TextEncoder().encode(JSON.stringify(message) + "\n");
    for (let at = 0; at < bytes.length;) at += await this.#connection.write(bytes.subarray(at));
  }

  [Symbol.dispose](): void {
    try {
      this.#connection.close();
    } catch {
      // closed already
    }
  }
}

/** The error code of a failed call; undefined for one that succeeded. */
export function codeOf(message: Message): string | undefined {
  const { result, error } = message;
  if (error) return `protocol ${error.code}`;
  return result.isError ? JSON.parse(result.content[0].text).error : undefined;
}
