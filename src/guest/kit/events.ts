/** One server-sent event. */
export interface ServerEvent {
  /** Its name; `message` where the server gave none. */
  readonly event: string;
  /** Its data lines, joined by line feeds. */
  readonly data: string;
}

/** The longest event taken, in characters. */
const MAX_EVENT = 16 * 1024 * 1024;

/**
 * Reads a `text/event-stream` (HTML standard, server-sent events) event by event. Leaving the loop ends the request;
 * an event that the stream's end cuts off is dropped, as the standard says.
 */
export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let event = "", data: string[] = [], size = 0;
  for await (const line of textLines(body)) {
    if (line === "") {
      if (data.length > 0) yield { event: event || "message", data: data.join("\n") };
      event = "", data = [], size = 0;
      continue;
    }
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "event") event = value;
    if (field === "data") data.push(value);
    size += line.length;
    if (size > MAX_EVENT) {
      throw new RangeError(`an event of the stream is longer than ${MAX_EVENT} characters`);
    }
  }
}

/** Lines end in CR LF, LF or CR, wherever the chunks are cut. */
async function* textLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    if (rest.length > MAX_EVENT) {
      throw new RangeError(`a line of the stream is longer than ${MAX_EVENT} characters`);
    }
    yield* lines;
  }
  if (rest !== "") yield rest.replace(/\r$/, "");
}
