import type { Size } from "./image.ts";

const WIDTH = 256, HEIGHT = 257;
const SHORT = 3;
/** More pages than any scan has; a directory chain that leads in a circle ends before. */
const MOST_PAGES = 10_000;

/** Where each page's directory starts. */
export function tiffPages(bytes: Uint8Array): readonly number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pages: number[] = [];
  try {
    const little = isLittle(view);
    for (let at = view.getUint32(4, little); at !== 0 && !pages.includes(at) && pages.length < MOST_PAGES;) {
      const next = at + 2 + 12 * view.getUint16(at, little);
      pages.push(at);
      at = view.getUint32(next, little);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // cut off: the pages before the cut may be whole
  }
  return pages;
}

/** The same file with another page as its first, for a decoder that reads the first only. */
export function tiffFrom(bytes: Uint8Array, page: number): Uint8Array {
  const copy = new Uint8Array(bytes);
  const view = new DataView(copy.buffer);
  view.setUint32(4, page, isLittle(view));
  return copy;
}

/** The size of the first page. */
export function tiffSize(view: DataView): Size {
  const little = isLittle(view);
  const directory = view.getUint32(4, little);
  const found = new Map<number, number>();
  for (let i = 0; i < view.getUint16(directory, little); i++) {
    const entry = directory + 2 + 12 * i;
    const isShort = view.getUint16(entry + 2, little) === SHORT;
    const value = isShort ? view.getUint16(entry + 8, little) : view.getUint32(entry + 8, little);
    found.set(view.getUint16(entry, little), value);
  }
  const width = found.get(WIDTH), height = found.get(HEIGHT);
  if (!width || !height) throw new RangeError("the page has no size");
  return { width, height };
}

function isLittle(view: DataView): boolean {
  return view.getUint16(0) === 0x4949;
}
