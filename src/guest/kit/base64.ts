/** A multiple of 3, so that each piece encodes without padding; small enough to spread as arguments. */
const PIECE = 3 * 4096;

/** Standard base64 with padding, in pieces so that a large file needs no deep stack. */
export function encodeBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE))));
  }
  return parts.join("");
}
