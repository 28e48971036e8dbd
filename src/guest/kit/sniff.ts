/** First bytes to media type; the first match counts. */
const SIGNATURES: readonly (readonly [mediaType: string, bytes: readonly number[], at?: number])[] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/tiff", [0x49, 0x49, 0x2a, 0x00]],
  ["image/tiff", [0x4d, 0x4d, 0x00, 0x2a]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38]],
  ["image/webp", [0x57, 0x45, 0x42, 0x50], 8],
  ["audio/wav", [0x57, 0x41, 0x56, 0x45], 8],
  ["image/bmp", [0x42, 0x4d]],
  ["application/zip", [0x50, 0x4b, 0x03, 0x04]],
  ["application/zip", [0x50, 0x4b, 0x05, 0x06]],
  ["application/gzip", [0x1f, 0x8b]],
  ["audio/ogg", [0x4f, 0x67, 0x67, 0x53]],
  ["audio/flac", [0x66, 0x4c, 0x61, 0x43]],
  ["audio/mpeg", [0x49, 0x44, 0x33]],
  ["audio/mpeg", [0xff, 0xfb]],
  ["audio/mp4", [0x66, 0x74, 0x79, 0x70, 0x4d, 0x34, 0x41], 4],
  ["video/mp4", [0x66, 0x74, 0x79, 0x70], 4],
  ["video/webm", [0x1a, 0x45, 0xdf, 0xa3]],
];

/** How far into a file a PDF's header may stand; readers accept some rubbish before it. */
const PDF_HEADER_WITHIN = 1024;
const PDF_HEADER = [0x25, 0x50, 0x44, 0x46, 0x2d];

/**
 * The media type that a file's first bytes tell (1 KiB is enough), whatever its name says:
 * PDF, the usual images, audio and archives. Undefined where nothing is recognised.
 */
export function sniff(bytes: Uint8Array): string | undefined {
  const found = SIGNATURES.find(([, signature, at = 0]) => startsWith(bytes, signature, at));
  if (found) return found[0];
  const last = Math.min(bytes.length - PDF_HEADER.length, PDF_HEADER_WITHIN);
  for (let at = 0; at <= last; at++) {
    if (startsWith(bytes, PDF_HEADER, at)) return "application/pdf";
  }
  return undefined;
}

function startsWith(bytes: Uint8Array, signature: readonly number[], at: number): boolean {
  return signature.every((byte, index) => bytes[at + index] === byte);
}
