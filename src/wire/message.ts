import { isObject } from "../base/mod.ts";
import { OWN_MEMORY_FROM } from "./frames.ts";
import { countMembers, type Scan, ScanError, scanMessage, type Span } from "./scan.ts";
import type { LongText } from "./stream.ts";

/** A JSON-RPC id. 0 and "" are ids; null is not one. */
export type RequestId = string | number;

/** A value as it is written in its message. */
export interface Written {
  readonly text: string;
  /** How many bytes it has. */
  readonly size: number;
  /** The bytes themselves where they are many: they can be handed on without being encoded again. */
  readonly bytes: Uint8Array | undefined;
}

/** A JSON-RPC message. It holds nothing of a short frame's memory, which is used again. */
export interface Message {
  readonly text: string;
  /** `params.arguments` of a request, `result.structuredContent` of a response, as it is written there. */
  readonly payload: Written | undefined;
  readonly kind: "request" | "notification" | "response";
  /** For requests and responses. */
  readonly id: RequestId | undefined;
  readonly method: string | undefined;
  readonly params: { readonly [key: string]: unknown };
  /** For responses: one of the two. */
  readonly result: unknown;
  readonly error: unknown;
}

/** A frame that is no JSON-RPC message, with the code to answer it by. */
export class MessageError extends Error {
  override readonly name = "MessageError";
  /** -32700 not JSON, -32600 not a message. */
  readonly code: number;
  /** The frame's id where one could be read. */
  readonly id: RequestId | null;

  constructor(code: number, message: string, id: RequestId | null = null) {
    super(message);
    this.code = code;
    this.id = id;
  }
}

/** Quick: it puts U+FFFD in the place of what is no UTF-8. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a frame (contract S.11): UTF-8 decoded whole, nesting bounded before parsing, names unique in every object.
 * @throws {MessageError}
 */
export function readMessage(frame: Uint8Array): Message {
  const text = decode(frame);
  const scan = scanned(frame, text);
  const value = parsed(text);
  if (Array.isArray(value)) throw new MessageError(-32600, "batches are not taken: send one message a line");
  if (!isObject(value)) throw new MessageError(-32600, "a message is a JSON object");
  const id = idOf(value);
  if (scan.mayRepeat && countMembers(value) !== scan.memberCount) {
    throw new MessageError(-32600, "a name stands twice in one object of the message", id ?? null);
  }
  if (value.jsonrpc !== "2.0") throw new MessageError(-32600, 'a message has "jsonrpc": "2.0"', id ?? null);
  const payload = (name: string, below: string) => written(frame, text, scan.find(name, below));
  return classify(text, payload, value, id);
}

function decode(frame: Uint8Array): string {
  const text = decoder.decode(frame);
  if (!text.includes("\ufffd")) return text;
  try {
    return strictDecoder.decode(frame);
  } catch {
    throw new MessageError(-32700, "the frame is not UTF-8");
  }
}

function scanned(frame: Uint8Array, text: string): Scan {
  try {
    return scanMessage(frame, text);
  } catch (error) {
    if (error instanceof ScanError) throw new MessageError(-32600, error.message);
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MessageError(-32700, "the frame is not JSON");
  }
}

function written(frame: Uint8Array, text: string, span: Span | undefined): Written | undefined {
  if (!span) return undefined;
  const { start, end } = span, bytes = frame.subarray(start, end);
  return {
    // where every character is one byte the places are the same in both
    text: text.length === frame.length ? text.slice(start, end) : decoder.decode(bytes),
    size: bytes.length,
    bytes: bytes.length >= OWN_MEMORY_FROM ? bytes : undefined,
  };
}

function idOf(value: { [key: string]: unknown }): RequestId | undefined {
  const { id } = value;
  if (typeof id === "string") return id;
  return typeof id === "number" && Number.isFinite(id) ? id : undefined;
}

function classify(
  text: string,
  payloadOf: (name: string, below: string) => Written | undefined,
  value: { [key: string]: unknown },
  id: RequestId | undefined,
): Message {
  const { method, result, error } = value;
  if (typeof method === "string") {
    if ("id" in value && id === undefined) throw new MessageError(-32600, "an id is a string or a number");
    if ("params" in value && !isObject(value.params)) {
      throw new MessageError(-32600, "params is an object", id ?? null);
    }
    const params = (value.params ?? {}) as { [key: string]: unknown };
    const kind = id === undefined ? "notification" : "request";
    const payload = payloadOf("params", "arguments");
    return { text, payload, kind, id, method, params, result, error };
  }
  if (id === undefined || ("result" in value) === ("error" in value)) {
    throw new MessageError(-32600, "a message has a method, or an id with a result or an error", id ?? null);
  }
  const payload = payloadOf("result", "structuredContent");
  return { text, payload, kind: "response", id, method: undefined, params: {}, result, error };
}

/** The pieces of a long text; escaped they still fit into what a writer keeps. */
const PIECE = 64 * 1024;

/** A long text as a JSON string, its quotes included. */
export function longString(text: string): LongText {
  return { length: text.length, pieces: () => escapedPieces(text) };
}

function* escapedPieces(text: string): Iterable<string> {
  yield '"';
  for (let from = 0, to; from < text.length; from = to) {
    to = from + PIECE;
    if (isLeading(text.charCodeAt(to - 1))) to++; // the halves of a character stay together
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
  }
  yield '"';
}

function isLeading(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** A JSON-RPC response with a result given as JSON text. The id always comes right after `jsonrpc`. */
export function resultText(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`;
}

/** A JSON-RPC error response. */
export function errorResponse(id: RequestId | null, code: number, message: string, data?: unknown): string {
  const error = data === undefined ? { code, message } : { code, message, data };
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify(error)}}\n`;
}

/** A JSON-RPC request with its params given as JSON text. */
export function requestText(id: RequestId, method: string, params: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":${
    JSON.stringify(method)
  },"params":${params}}\n`;
}

/** A JSON-RPC notification. */
export function notificationText(method: string, params: unknown): string {
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${JSON.stringify(params)}}\n`;
}
