import type { Reading } from "./layout.ts";

/** EXIF orientations in the order that a further quarter turn clockwise leads through; mirrored ones apart. */
const PLAIN = [1, 6, 3, 8];
const MIRRORED = [2, 7, 4, 5];

/** The orientation that turns the image `quarters` quarter turns further clockwise than `orientation` does. */
export function turned(orientation: number, quarters: number): number {
  const ring = MIRRORED.includes(orientation) ? MIRRORED : PLAIN;
  const at = Math.max(0, ring.indexOf(orientation));
  return ring[(at + quarters) % 4] ?? 1;
}

/** A page stands upright when it is read with this confidence, and a few words of it. */
const UPRIGHT = 75, FEW_LETTERS = 30;

function isUpright({ confidence, sureLetters }: Reading): boolean {
  return confidence >= UPRIGHT && sureLetters >= FEW_LETTERS;
}

/**
 * Reads a page, and where the reading is poor reads it turned by 180, 90 and 270 degrees too: pages are scanned upside
 * down and sideways without anything in the file telling so. The reading with the most sure letters counts.
 */
export function readUpright(
  read: (orientation: number) => Reading,
  orientation: number,
): Reading {
  let best = read(orientation);
  if (isUpright(best)) return best;
  for (const quarters of [2, 1, 3]) {
    const other = read(turned(orientation, quarters));
    if (other.sureLetters > best.sureLetters) best = other;
    if (isUpright(best)) break;
  }
  return best;
}
