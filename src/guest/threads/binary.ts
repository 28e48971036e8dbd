import type { Json } from "../../base/mod.ts";
import { encodeBase64 } from "../kit/base64.ts";

/** Bytes as they travel in JSON. */
export function toWireBytes(data: ArrayBuffer | ArrayBufferView): Json {
  const bytes = ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
  return { $base64: encodeBase64(bytes) };
}

/** Bytes that came in JSON; null where there are none. */
export function fromWireBytes(value: unknown): Uint8Array<ArrayBuffer> | null {
  if (typeof value !== "object" || value === null || !("$base64" in value)) return null;
  const text = atob(String(value.$base64));
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
