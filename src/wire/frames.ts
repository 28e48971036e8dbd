const NEWLINE = 0x0a, RETURN = 0x0d;

/** From this many bytes on a frame does not share the memory of the chunk that it came in. */
export const COPIED_FROM = 64 * 1024;

/** A frame went past the limit before its newline came; the stream cannot be trusted any further. */
export class FrameTooLong extends Error {
  override readonly name = "FrameTooLong";
  readonly limit: number;

  constructor(limit: number) {
    super(`a frame has more than ${limit} bytes`);
    this.limit = limit;
  }
}

/**
 * Cuts a byte stream into frames at byte 0x0A and nowhere else (contract S.11): U+2028 and a lone CR are content, and
 * a character split over two chunks stays whole because nothing is decoded here. Empty lines are dropped,
 * those of CRLF writers too.
 */
export class FrameSplitter {
  readonly #limit: number;
  #parts: Uint8Array[] = [];
  #held = 0;

  /** @param limit the most bytes of one frame, the newline not counted */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Takes a chunk and gives the frames that are whole now. A short frame that lies whole in the chunk is a view of it:
   * read it before the chunk's memory is used again. Frames over {@linkcode COPIED_FROM} bytes are copies.
   * @throws {FrameTooLong} once a frame goes past the limit; earlier frames of the same chunk are lost with it
   */
  push(chunk: Uint8Array): Uint8Array[] {
    const frames: Uint8Array[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      const view = chunk.subarray(from, at);
      const frame = this.#held === 0 && view.length < COPIED_FROM ? this.#viewed(view) : this.#take(view);
      if (!isBlank(frame)) frames.push(frame);
      from = at + 1;
    }
    if (from < chunk.length) this.#hold(chunk.subarray(from));
    return frames;
  }

  /** What stands after the last newline: a final frame whose newline never came. */
  rest(): Uint8Array | undefined {
    return this.#held === 0 ? undefined : this.#take(new Uint8Array(0));
  }

  #viewed(view: Uint8Array): Uint8Array {
    this.#check(view.length);
    return view;
  }

  #take(tail: Uint8Array): Uint8Array {
    this.#check(this.#held + tail.length);
    const whole = new Uint8Array(this.#held + tail.length);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    whole.set(tail, at);
    this.#parts = [];
    this.#held = 0;
    return whole;
  }

  #hold(part: Uint8Array): void {
    this.#held += part.length;
    this.#check(this.#held);
    this.#parts.push(part.slice());
  }

  #check(length: number): void {
    if (length > this.#limit) throw new FrameTooLong(this.#limit);
  }
}

function isBlank(frame: Uint8Array): boolean {
  return frame.length === 0 || (frame.length === 1 && frame[0] === RETURN);
}
