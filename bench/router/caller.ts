/** Something that takes and gives newline-framed messages; `Deno.Conn` is one. */
export interface Pipe {
  read(into: Uint8Array): Promise<number | null>;
  write(bytes: Uint8Array): Promise<number>;
}

const NEWLINE = 0x0a;
/** No failure is longer; an answer of this size is not looked into. */
const SHORT = 900;
const encoder = new TextEncoder(), decoder = new TextDecoder();

/**
 * A client that measures. It sends the same bytes to every way and looks at nothing but the end of an answer and its
 * id, so that its own cost is small and the same everywhere.
 */
export class Caller {
  readonly #pipe: Pipe;
  readonly #waiting = new Map<number, { resolve(line: Uint8Array): void; reject(error: unknown): void }>();
  #nextId = 1;
  #written: Promise<unknown> = Promise.resolve();

  constructor(pipe: Pipe) {
    this.#pipe = pipe;
    void this.#listen();
  }

  /** Shakes hands as a client of 2025-11-25. */
  async hello(): Promise<void> {
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    };
    await this.ask("initialize", JSON.stringify(params));
    await this.#send('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }

  /** Sends a request and resolves with the bytes of its answer. */
  ask(method: string, params: string): Promise<Uint8Array> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`).catch(reject);
    });
  }

  /** Calls a tool, `args` is JSON; fails where the answer says that it failed. */
  async call(tool: string, args: string): Promise<Uint8Array> {
    const line = await this.ask("tools/call", `{"name":"${tool}","arguments":${args}}`);
    if (line.length < SHORT) refuseFailure(tool, line);
    return line;
  }

  #send(text: string): Promise<unknown> {
    const bytes = encoder.encode(text);
    return this.#written = this.#written.then(async () => {
      for (let at = 0; at < bytes.length;) at += await this.#pipe.write(bytes.subarray(at));
    });
  }

  async #listen(): Promise<void> {
    const buffer = new Uint8Array(256 * 1024);
    let held: Uint8Array[] = [];
    try {
      for (let count = await this.#pipe.read(buffer); count !== null; count = await this.#pipe.read(buffer)) {
        let from = 0;
        for (let at = buffer.indexOf(NEWLINE); at !== -1 && at < count; at = buffer.indexOf(NEWLINE, from)) {
          const last = buffer.subarray(from, at);
          this.#settle(held.length > 0 ? joined([...held, last]) : last);
          held = [];
          from = at + 1;
        }
        if (from < count) held.push(buffer.slice(from, count));
      }
      this.#fail(new Error("the connection was closed"));
    } catch (error) {
      this.#fail(error);
    }
  }

  #settle(line: Uint8Array): void {
    const id = idOf(line);
    this.#waiting.get(id)?.resolve(line.slice());
    this.#waiting.delete(id);
  }

  #fail(error: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

function refuseFailure(tool: string, line: Uint8Array): void {
  const text = decoder.decode(line);
  if (/"isError":\s*true|"error":\s*\{/.test(text)) throw new Error(`${tool} failed: ${text}`);
}

/** The id stands among the first members of an answer, or is the last. */
function idOf(line: Uint8Array): number {
  const near = /"id":(\d+)/.exec(decoder.decode(line.subarray(0, 64))) ??
    /"id":(\d+)\}\s*$/.exec(decoder.decode(line.subarray(-40)));
  return Number(near?.[1]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
