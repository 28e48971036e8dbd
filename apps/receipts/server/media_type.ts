const SIGNS: readonly (readonly [type: string, ending: string, sign: readonly number[]])[] = [
  ["image/jpeg", "jpg", [0xff, 0xd8, 0xff]],
  ["image/png", "png", [0x89, 0x50, 0x4e, 0x47]],
  ["image/tiff", "tiff", [0x49, 0x49, 0x2a, 0x00]],
  ["image/tiff", "tiff", [0x4d, 0x4d, 0x00, 0x2a]],
  ["application/pdf", "pdf", [0x25, 0x50, 0x44, 0x46, 0x2d]],
];

/** What a file is by its first bytes, whatever its sender calls it; undefined for what is no picture and no PDF. */
export function mediaTypeOf(bytes: Uint8Array): string | undefined {
  return SIGNS.find(([, , sign]) => sign.every((byte, index) => bytes[index] === byte))?.[0];
}

/** The ending of a file of that type. */
export function endingOf(mediaType: string): string {
  return SIGNS.find(([type]) => type === mediaType)?.[1] ?? "bin";
}
