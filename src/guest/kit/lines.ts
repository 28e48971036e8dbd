import { concatBytes } from "../../base/mod.ts";

const NEWLINE = 0x0a;

/**
 * Splits a byte stream into frames at the byte 0x0A only; a chunk may hold many frames or a part of one. An empty
 * frame is left out, and so is a last one without its newline: it was cut off.
 *
 * @throws {RangeError} when a frame grows past `maxBytes`.
 */
export async function* lines(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; from = end + 1, end = chunk.indexOf(NEWLINE, from)) {
      const frame = concatBytes([...parts, chunk.subarray(from, end)]);
      parts = [];
      size = 0;
      if (frame.length > maxBytes) throw tooLong(maxBytes);
      if (frame.length > 0) yield frame;
    }
    if (from === chunk.length) continue;
    parts.push(chunk.slice(from));
    size += chunk.length - from;
    if (size > maxBytes) throw tooLong(maxBytes);
  }
}

function tooLong(maxBytes: number): RangeError {
  return new RangeError(`a message has more than ${maxBytes} bytes`);
}
