import { FrameSplitter } from "./frames.ts";

/** What frames are read from and written to; `Deno.Conn` is one. */
export interface ByteStream {
  read(into: Uint8Array): Promise<number | null>;
  write(bytes: Uint8Array): Promise<number>;
}

const encoder = new TextEncoder();
const GATHERING_TURNS = 6;
/** So many frames are taken before what they made is sent: the next process begins while this one goes on. */
const TAKEN_AT_ONCE = 16;
/** Texts up to so many characters are encoded into memory that a writer keeps. */
const KEPT = 128 * 1024;

/** Whether the last read brought several frames, so that several are about to be sent too. */
let bursting = false;

/**
 * Reads frames until the stream ends and hands over those of one read together: short ones hold until `take` is done,
 * as {@linkcode FrameSplitter} says. The buffer grows while reads fill it, so that a message of megabytes does not take
 * hundreds of turns.
 *
 * @returns the bytes that were left without a final newline, if any
 * @throws {FrameTooLong} and whatever the stream throws
 */
export async function readFrames(
  stream: ByteStream,
  limit: number,
  take: (frames: Uint8Array[]) => void | Promise<void>,
): Promise<Uint8Array | undefined> {
  const splitter = new FrameSplitter(limit);
  for (;;) {
    const count = await stream.read(splitter.space());
    if (count === null) return splitter.rest();
    const frames = splitter.filled(count);
    bursting = frames.length > 1;
    for (let from = 0; from < frames.length; from += TAKEN_AT_ONCE) {
      if (from > 0) await turns(2 * GATHERING_TURNS);
      const some = frames.length > TAKEN_AT_ONCE ? frames.slice(from, from + TAKEN_AT_ONCE) : frames;
      const busy = take(some);
      if (busy) await busy;
    }
  }
}

/** Lets what waits in the microtask queue go first, so often. */
async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await undefined;
}

/** A long text that is made piece by piece while it is written: the reader takes one as the next is made. */
export interface LongText {
  /** Characters, more or less. */
  readonly length: number;
  pieces(): Iterable<string>;
}

/** A part of a message: a text, bytes that are written as they are, a text that is still to be made. */
export type Part = string | Uint8Array | LongText;

/**
 * Writes texts in the order given. What is sent while a write is under way goes out together with the next one, so
 * that many small messages cost few system calls.
 */
export class FrameWriter {
  readonly #stream: ByteStream;
  readonly #broken: (error: unknown) => void;
  #waiting: Part[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | undefined;
  /** Only one write is under way at a time, so its memory may be used for the next. */
  #memory = new Uint8Array(0);

  /** @param broken called once when a write fails; later texts are dropped */
  constructor(stream: ByteStream, broken: (error: unknown) => void) {
    this.#stream = stream;
    this.#broken = broken;
  }

  /** Queues the parts of a message; the last one ends in a newline. */
  send(...parts: readonly Part[]): void {
    for (const part of parts) {
      this.#waiting.push(part);
      this.#waitingBytes += part.length;
    }
    this.#writing ??= this.#drain();
  }

  /** Characters that wait to be written, for back-pressure. */
  get backlog(): number {
    return this.#waitingBytes;
  }

  /** Resolves once all that was sent so far is written or the stream broke. */
  async flushed(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #drain(): Promise<void> {
    // in a burst, what is being sent at this very moment goes out in one write: a system call costs more than a few turns
    if (bursting) await turns(GATHERING_TURNS);
    try {
      while (this.#waiting.length > 0) {
        const parts = this.#waiting, length = this.#waitingBytes;
        this.#waiting = [];
        for (const part of inPieces(parts)) {
          const bytes = typeof part === "string" ? this.#encoded(part) : part;
          for (let at = 0; at < bytes.length;) {
            at += await this.#stream.write(at ? bytes.subarray(at) : bytes);
          }
        }
        this.#waitingBytes -= length;
      }
    } catch (error) {
      this.#waiting = [];
      this.#waitingBytes = 0;
      this.send = () => {};
      this.#broken(error);
    } finally {
      this.#writing = undefined;
    }
  }

  /** The text's bytes; they hold until the next text. */
  #encoded(text: string): Uint8Array {
    if (text.length > KEPT) return encoder.encode(text);
    if (this.#memory.length < text.length) this.#memory = new Uint8Array(Math.max(4096, 2 * text.length));
    const { read, written } = encoder.encodeInto(text, this.#memory);
    return read === text.length ? this.#memory.subarray(0, written) : encoder.encode(text);
  }
}

/** Texts alone are written in one piece; among long parts everything is written as it stands. */
function inPieces(parts: readonly Part[]): Iterable<string | Uint8Array> {
  if (parts.length === 1 && typeof parts[0] === "string") return [parts[0]];
  return parts.every((part) => typeof part === "string") ? [parts.join("")] : eachPiece(parts);
}

function* eachPiece(parts: readonly Part[]): Iterable<string | Uint8Array> {
  for (const part of parts) {
    if (typeof part === "string" || part instanceof Uint8Array) yield part;
    else yield* part.pieces();
  }
}
