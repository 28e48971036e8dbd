import { concatBytes, utf8Text } from "./bytes.ts";
import { HandlerError } from "./error.ts";

const NEWLINE = 0x0a;

/**
 * Lines of UTF-8 text out of bytes that come in pieces; what stands behind the last newline is no line.
 * @throws {HandlerError} `usage` for a line of more than `longest` bytes
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  longest = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<string> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      yield utf8Text(concatBytes([...parts, chunk.subarray(from, end)]));
      [parts, size, from] = [[], 0, end + 1];
    }
    parts.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > longest) throw new HandlerError("usage", `a line must have at most ${longest} bytes`);
  }
}
