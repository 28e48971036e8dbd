import { FrameSplitter } from "./frames.ts";

/** What frames are read from and written to; `Deno.Conn` is one. */
export interface ByteStream {
  read(into: Uint8Array): Promise<number | null>;
  write(bytes: Uint8Array): Promise<number>;
}

const encoder = new TextEncoder();
const GATHERING_TURNS = 6;
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
    if (frames.length === 0) continue;
    const busy = take(frames);
    if (busy) await busy;
  }
}

/**
 * Writes texts in the order given. What is sent while a write is under way goes out together with the next one, so
 * that many small messages cost few system calls.
 */
export class FrameWriter {
  readonly #stream: ByteStream;
  readonly #broken: (error: unknown) => void;
  #waiting: (string | Uint8Array)[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | undefined;
  /** Only one write is under way at a time, so its memory may be used for the next. */
  #memory = new Uint8Array(0);

  /** @param broken called once when a write fails; later texts are dropped */
  constructor(stream: ByteStream, broken: (error: unknown) => void) {
    this.#stream = stream;
    this.#broken = broken;
  }

  /** Queues the parts of a message; the last one ends in a newline. Bytes are written as they are. */
  send(...parts: readonly (string | Uint8Array)[]): void {
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
    for (let turns = bursting ? GATHERING_TURNS : 0; turns > 0; turns--) await undefined;
    try {
      while (this.#waiting.length > 0) {
        const parts = this.#waiting, length = this.#waitingBytes;
        this.#waiting = [];
        if (parts.every((part) => typeof part === "string")) await this.#write(this.#encoded(parts.join("")));
        else {for (const part of parts) {
            await this.#write(typeof part === "string" ? this.#encoded(part) : part);
          }}
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

  async #write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) at += await this.#stream.write(at ? bytes.subarray(at) : bytes);
  }
}
