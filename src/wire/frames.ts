const NEWLINE = 0x0a, RETURN = 0x0d;
const FIRST_BUFFER = 16 * 1024;
/** Reads that keep filling the buffer get a larger one, up to this; a single frame may need more. */
const LARGEST_BUFFER = 1024 * 1024;

/** A frame of at least so many bytes has memory of its own; a shorter one shares the buffer that is read into. */
export const OWN_MEMORY_FROM = 64 * 1024;

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
 * a character split over two reads stays whole because nothing is decoded here. Empty lines are dropped,
 * those of CRLF writers too.
 *
 * Bytes are read straight into the memory that the frames are views of: `filled(await stream.read(space()))`.
 */
export class FrameSplitter {
  readonly #limit: number;
  #buffer = new Uint8Array(FIRST_BUFFER);
  /** What stands from here to `#end` is a frame without its newline yet. */
  #from = 0;
  #end = 0;
  /** How large the next buffer is to be; 0 while this one will do. */
  #wanted = 0;

  /** @param limit the most bytes of one frame, the newline not counted */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Where to read into. Short frames given before are overwritten from here on. */
  space(): Uint8Array {
    const held = this.#end - this.#from;
    if (held === this.#buffer.length) this.#wanted = held * 4;
    if (this.#wanted > 0) {
      const next = new Uint8Array(Math.max(held + 1, Math.min(this.#wanted, this.#limit + FIRST_BUFFER)));
      next.set(this.#buffer.subarray(this.#from, this.#end));
      this.#buffer = next;
    } else if (held > 0 && this.#from > 0) {
      this.#buffer.copyWithin(0, this.#from, this.#end);
    }
    this.#wanted = this.#from = 0;
    this.#end = held;
    return held === 0 ? this.#buffer : this.#buffer.subarray(held);
  }

  /**
   * Takes the first `count` bytes of the space and gives the frames that are whole now.
   * @throws {FrameTooLong} once a frame goes past the limit; earlier frames of the same read are lost with it
   */
  filled(count: number): Uint8Array[] {
    const frames: Uint8Array[] = [];
    const newFrom = this.#end;
    this.#end += count;
    if (this.#end === this.#buffer.length && this.#end < LARGEST_BUFFER) this.#wanted = this.#end * 4;
    const bytes = this.#buffer.subarray(0, this.#end);
    for (let at = bytes.indexOf(NEWLINE, newFrom); at !== -1; at = bytes.indexOf(NEWLINE, this.#from)) {
      const frame = bytes.subarray(this.#from, at);
      this.#check(frame.length);
      this.#from = at + 1;
      if (!isBlank(frame)) frames.push(frame);
      if (frame.length >= OWN_MEMORY_FROM) this.#wanted = FIRST_BUFFER; // the frame keeps this one
    }
    this.#check(this.#end - this.#from);
    return frames;
  }

  /** The lines that the last read made whole, with their newlines: for who passes them on as they are. */
  lines(): Uint8Array {
    return this.#buffer.subarray(0, this.#from);
  }

  /** What stands after the last newline: a final frame whose newline never came. */
  rest(): Uint8Array | undefined {
    const rest = this.#buffer.slice(this.#from, this.#end);
    this.#from = this.#end;
    return rest.length === 0 ? undefined : rest;
  }

  #check(length: number): void {
    if (length > this.#limit) throw new FrameTooLong(this.#limit);
  }
}

function isBlank(frame: Uint8Array): boolean {
  return frame.length === 0 || (frame.length === 1 && frame[0] === RETURN);
}
