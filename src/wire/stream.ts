import { FrameSplitter } from "./frames.ts";

/** What frames are read from and written to; `Deno.Conn` is one. */
export interface ByteStream {
  read(into: Uint8Array): Promise<number | null>;
  write(bytes: Uint8Array): Promise<number>;
}

const encoder = new TextEncoder();
const FIRST_BUFFER = 16 * 1024;
const GATHERING_TURNS = 6;
const LARGEST_BUFFER = 1024 * 1024;

/** Whether the last read brought several frames, so that several are about to be sent too. */
let bursting = false;

/**
 * Reads frames until the stream ends and hands over those of one read together. The buffer grows while reads fill it,
 * so that a message of megabytes does not take hundreds of turns.
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
  let buffer = new Uint8Array(FIRST_BUFFER);
  for (;;) {
    const count = await stream.read(buffer);
    if (count === null) return splitter.rest();
    const frames = splitter.push(buffer.subarray(0, count));
    bursting = frames.length > 1;
    if (frames.length > 0) {
      const busy = take(frames);
      if (busy) await busy;
    }
    if (count === buffer.length && buffer.length < LARGEST_BUFFER) buffer = new Uint8Array(buffer.length * 4);
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

  /** @param broken called once when a write fails; later texts are dropped */
  constructor(stream: ByteStream, broken: (error: unknown) => void) {
    this.#stream = stream;
    this.#broken = broken;
  }

  /** Queues the parts of a message; the last one ends in a newline. Bytes are written as they are. */
  send(...parts: readonly (string | Uint8Array)[]): void {
    this.#waiting.push(...parts);
    for (const part of parts) this.#waitingBytes += part.length;
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

  /** All that waits, texts that follow each other as one. */
  #taken(): readonly Uint8Array[] {
    const parts = this.#waiting;
    this.#waiting = [];
    if (parts.every((part) => typeof part === "string")) return [encoder.encode(parts.join(""))];
    return parts.map((part) => typeof part === "string" ? encoder.encode(part) : part);
  }

  async #drain(): Promise<void> {
    // in a burst, what is being sent at this very moment goes out in one write: a system call costs more than a few turns
    for (let turns = bursting ? GATHERING_TURNS : 0; turns > 0; turns--) await undefined;
    try {
      while (this.#waiting.length > 0) {
        for (const bytes of this.#taken()) {
          for (let at = 0; at < bytes.length;) {
            at += await this.#stream.write(at ? bytes.subarray(at) : bytes);
          }
        }
        this.#waitingBytes = this.#waiting.reduce((sum, part) => sum + part.length, 0);
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
}
