import { errorText, utf8Text } from "../../base/mod.ts";
import {
  errorResponse,
  FrameSplitter,
  FrameTooLong,
  type RequestId,
  type Scan,
  scanMessage,
} from "../../wire/mod.ts";

/** A duplex byte stream; `Deno.Conn` is one. */
export interface Duplex {
  read(into: Uint8Array): Promise<number | null>;
  write(bytes: Uint8Array): Promise<number>;
  close(): void;
}

/** What a relay is made of. */
export interface RelayParts {
  readonly stdin: { read(into: Uint8Array): Promise<number | null> };
  readonly stdout: { write(bytes: Uint8Array): Promise<number> };
  connect(): Promise<Duplex>;
  /** How often a lost router is tried again, and the pause between tries in milliseconds. */
  readonly retries: number;
  readonly pauseMs: number;
  note(text: string): void;
}

/** One frame of MCP at most; the router's own limit is smaller or the same. */
const FRAME_LIMIT = 64 * 1024 * 1024;
const UNREACHABLE = -32000;
const NEWLINE = new Uint8Array([0x0a]);

/**
 * Relays MCP between stdio and the router's socket without changing a byte (seed §5). It reads just enough of each
 * message to know which requests are under way: when the router restarts, those are answered with an error, the
 * handshake is repeated on the new connection, and the client goes on as if nothing had been.
 */
export class Relay {
  readonly #parts: RelayParts;
  readonly #pending = new Map<string, RequestId>();
  /** The client's `initialize` and `notifications/initialized`, for a new connection. */
  #handshake: { request?: Uint8Array; id?: string; done?: Uint8Array } = {};
  /** Responses to be kept from the client: those to a repeated handshake. */
  #swallow: string | undefined;
  #router: Promise<Duplex> | undefined;
  #mending: Promise<void> | undefined;
  #ended = false;
  #allAnswered: (() => void) | undefined;
  /** The newest answers on their way to the client. */
  #delivery: Promise<void> = Promise.resolve();

  constructor(parts: RelayParts) {
    this.#parts = parts;
  }

  /** Runs until the client closes stdin and every request it made is answered. */
  async run(): Promise<void> {
    const first = await this.#connected();
    await this.#fromClient();
    this.#ended = true;
    if (this.#pending.size > 0) await new Promise<void>((resolve) => this.#allAnswered = resolve);
    await this.#delivery;
    const last = await (this.#router ?? first);
    last.close();
  }

  #connected(): Promise<Duplex> {
    this.#router ??= this.#connect().then((router) => {
      void this.#fromRouter(router);
      return router;
    });
    return this.#router;
  }

  async #connect(): Promise<Duplex> {
    for (let left = this.#parts.retries;; left--) {
      try {
        return await this.#parts.connect();
      } catch (error) {
        if (left <= 0) throw error;
        await new Promise((resolve) => setTimeout(resolve, this.#parts.pauseMs));
      }
    }
  }

  async #fromClient(): Promise<void> {
    const splitter = new FrameSplitter(FRAME_LIMIT);
    for (;;) {
      const count = await this.#parts.stdin.read(splitter.space());
      if (count === null) break;
      const frames = splitter.filled(count);
      if (frames.length > 0) await this.#forward(frames, splitter.lines());
    }
    const rest = splitter.rest();
    if (rest) await this.#forward([rest], joined([rest]));
  }

  async #forward(frames: readonly Uint8Array[], lines: Uint8Array): Promise<void> {
    for (const frame of frames) this.#remember(frame);
    try {
      await writeAll(await this.#connected(), lines);
    } catch (error) {
      await this.#lost(errorText(error));
    }
  }

  #remember(frame: Uint8Array): void {
    const scan = scanned(frame);
    if (!scan) return;
    const id = member(frame, scan, "id"), method = member(frame, scan, "method");
    if (method === '"initialize"') this.#handshake = id === undefined ? {} : { request: frame.slice(), id };
    if (method === '"notifications/initialized"') this.#handshake.done = frame.slice();
    if (method !== undefined && id !== undefined) this.#pending.set(id, JSON.parse(id));
    if (method === '"notifications/cancelled"') this.#forget(member(frame, scan, "params", "requestId"));
  }

  #forget(id: string | undefined): void {
    if (id === undefined || !this.#pending.delete(id)) return;
    if (this.#pending.size === 0) this.#allAnswered?.();
  }

  async #fromRouter(router: Duplex): Promise<void> {
    const splitter = new FrameSplitter(FRAME_LIMIT);
    try {
      for (;;) {
        const count = await router.read(splitter.space());
        if (count === null) break;
        const frames = splitter.filled(count);
        if (frames.length > 0) await this.#deliver(frames, splitter.lines());
      }
    } catch (error) {
      if (error instanceof FrameTooLong) this.#parts.note(error.message);
    }
    this.#router = undefined;
    router.close();
    if (!this.#ended || this.#pending.size > 0) await this.#lost("the router closed the connection");
  }

  async #deliver(frames: readonly Uint8Array[], lines: Uint8Array): Promise<void> {
    const wanted = frames.filter((frame) => {
      const id = responseId(frame);
      if (id === undefined) return true;
      if (id === this.#swallow) {
        this.#swallow = undefined;
        return false;
      }
      this.#pending.delete(id);
      return true;
    });
    const bytes = wanted.length === frames.length ? lines : joined(wanted);
    if (bytes.length > 0) await (this.#delivery = writeAll(this.#parts.stdout, bytes));
    if (this.#pending.size === 0) this.#allAnswered?.();
  }

  /** Both directions may notice that the router is gone; it is told and mended once. */
  #lost(why: string): Promise<void> {
    this.#mending ??= this.#mend(why).finally(() => this.#mending = undefined);
    return this.#mending;
  }

  /** What was under way is answered, then the handshake is repeated with a new router. */
  async #mend(why: string): Promise<void> {
    this.#router = undefined;
    const error = `handlerd went away before it answered (${why}); the call may or may not have run`;
    const answers = [...this.#pending.values()].map((id) => errorResponse(id, UNREACHABLE, error));
    this.#pending.clear();
    if (answers.length > 0) await writeAll(this.#parts.stdout, new TextEncoder().encode(answers.join("")));
    this.#allAnswered?.();
    if (this.#ended) return;
    const { request, id, done } = this.#handshake;
    if (!request || !done) return; // nothing to repeat: the next request makes the connection
    try {
      const router = await this.#connected();
      this.#swallow = id;
      await writeAll(router, joined([request, done]));
    } catch (reason) {
      this.#parts.note(`handlerd cannot be reached: ${errorText(reason)}`);
    }
  }
}

function scanned(frame: Uint8Array): Scan | undefined {
  try {
    return scanMessage(frame, utf8Text(frame));
  } catch {
    return undefined; // not a message: the router says so
  }
}

function member(frame: Uint8Array, scan: Scan, name: string, below?: string): string | undefined {
  const span = scan.find(name, below);
  return span && utf8Text(frame.subarray(span.start, span.end));
}

/** The router writes every response as `{"jsonrpc":"2.0","id":…,`, so the id is found without reading the rest. */
const RESPONSE_START = '{"jsonrpc":"2.0","id":';

function responseId(frame: Uint8Array): string | undefined {
  const head = utf8Text(frame.subarray(0, 1024));
  if (!head.startsWith(RESPONSE_START)) return undefined;
  const rest = head.slice(RESPONSE_START.length);
  return /^(?:"(?:[^"\\]|\\.)*"|-?[0-9.eE+-]+|null)/.exec(rest)?.[0];
}

function joined(frames: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(frames.reduce((sum, frame) => sum + frame.length + 1, 0));
  let at = 0;
  for (const frame of frames) {
    whole.set(frame, at);
    whole.set(NEWLINE, at + frame.length);
    at += frame.length + 1;
  }
  return whole;
}

async function writeAll(to: { write(bytes: Uint8Array): Promise<number> }, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await to.write(at ? bytes.subarray(at) : bytes);
}
