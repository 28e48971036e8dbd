import type { ByteStream } from "./stream.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NEWLINE = 0x0a;
const BUFFER = 64 * 1024;
/** Turns of the microtask queue that what is sent waits for company: far less than a system call costs. */
const GATHERING_TURNS = 3;

/** A line went past the limit, or is no JSON. */
export class BadLine extends Error {
  override readonly name = "BadLine";
}

/**
 * JSON values, one a line, both ways over one stream, for two programs that know each other: what is sent in one turn of
 * the event loop goes out in one write, what one read brings is decoded in one piece.
 */
export class JsonLines {
  readonly #stream: ByteStream;
  readonly #limit: number;
  readonly #broken: (error: unknown) => void;
  #waiting: string[] = [];
  #backlog = 0;
  #writing: Promise<void> | undefined;
  #ended = false;

  /**
   * @param limit the most bytes of one line
   * @param broken called once when a write fails; what is sent later is dropped
   */
  constructor(stream: ByteStream, limit: number, broken: (error: unknown) => void) {
    this.#stream = stream;
    this.#limit = limit;
    this.#broken = broken;
  }

  /** Sends a value after all that was sent before. */
  send(value: unknown): void {
    if (this.#ended) return;
    const line = JSON.stringify(value) + "\n";
    this.#backlog += line.length;
    this.#waiting.push(line);
    this.#writing ??= this.#drain();
  }

  /** Characters that wait to be written, for back-pressure. */
  get backlog(): number {
    return this.#backlog;
  }

  /** Resolves once all that was sent so far is written or the stream broke. */
  async flushed(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /**
   * Hands over each value that comes, until the stream ends. Where `take` gives a promise, nothing more is read before it
   * is settled.
   * @throws {BadLine} and what the stream throws
   */
  async receive(take: (value: unknown) => void | Promise<void>): Promise<void> {
    const buffer = new Uint8Array(BUFFER);
    let held: Uint8Array[] = [], heldBytes = 0;
    for (;;) {
      const count = await this.#stream.read(buffer);
      if (count === null) return;
      const chunk = buffer.subarray(0, count);
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      if (end > 0) {
        const whole = held.length === 0
          ? chunk.subarray(0, end)
          : joined(held, heldBytes, chunk.subarray(0, end));
        held = [];
        heldBytes = 0;
        for (const value of this.#values(decoder.decode(whole))) {
          const busy = take(value);
          if (busy) await busy;
        }
      }
      if (end < count) {
        held.push(chunk.slice(end));
        heldBytes += count - end;
        this.#check(heldBytes);
      }
    }
  }

  *#values(text: string): Generator<unknown> {
    for (let from = 0; from < text.length;) {
      const end = text.indexOf("\n", from);
      this.#check(end - from);
      if (end > from) yield parsed(text.slice(from, end));
      from = end + 1;
    }
  }

  #check(length: number): void {
    if (length > this.#limit) throw new BadLine(`a line has more than ${this.#limit} bytes`);
  }

  async #drain(): Promise<void> {
    for (let turns = GATHERING_TURNS; turns > 0; turns--) await undefined;
    try {
      while (this.#waiting.length > 0) {
        const text = this.#waiting.length === 1 ? this.#waiting[0]! : this.#waiting.join("");
        this.#waiting = [];
        const bytes = encoder.encode(text);
        for (let at = 0; at < bytes.length;) {
          at += await this.#stream.write(at === 0 ? bytes : bytes.subarray(at));
        }
        this.#backlog -= text.length;
      }
    } catch (error) {
      this.#ended = true;
      this.#waiting = [];
      this.#backlog = 0;
      this.#broken(error);
    } finally {
      this.#writing = undefined;
    }
  }
}

function joined(parts: readonly Uint8Array[], length: number, last: Uint8Array): Uint8Array {
  const whole = new Uint8Array(length + last.length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  whole.set(last, at);
  return whole;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new BadLine(`a line is no JSON: ${error instanceof Error ? error.message : error}`);
  }
}
