const MAGIC: readonly (readonly [string, readonly number[], number])[] = [
  ["application/pdf", [0x25, 0x50, 0x44, 0x46, 0x2d], 0],
  ["image/png", [0x89, 0x50, 0x4e, 0x47], 0],
  ["image/jpeg", [0xff, 0xd8, 0xff], 0],
  ["image/tiff", [0x49, 0x49, 0x2a, 0x00], 0],
  ["image/tiff", [0x4d, 0x4d, 0x00, 0x2a], 0],
  ["image/gif", [0x47, 0x49, 0x46, 0x38], 0],
  ["image/webp", [0x57, 0x45, 0x42, 0x50], 8],
  ["image/bmp", [0x42, 0x4d], 0],
  ["audio/wav", [0x57, 0x41, 0x56, 0x45], 8],
  ["audio/ogg", [0x4f, 0x67, 0x67, 0x53], 0],
  ["audio/flac", [0x66, 0x4c, 0x61, 0x43], 0],
  ["audio/mpeg", [0x49, 0x44, 0x33], 0],
  ["application/zip", [0x50, 0x4b, 0x03, 0x04], 0],
  ["application/gzip", [0x1f, 0x8b], 0],
];

/** The media type that the first bytes of a file show; a name's ending is never trusted. */
export function mediaTypeOf(head: Uint8Array): string {
  for (const [type, bytes, at] of MAGIC) {
    if (bytes.every((byte, i) => head[at + i] === byte)) return type;
  }
  return looksLikeText(head) ? "text/plain" : "application/octet-stream";
}

function looksLikeText(head: Uint8Array): boolean {
  if (head.includes(0)) return false;
  try {
    // the head may end inside a character, which `stream` lets pass
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
