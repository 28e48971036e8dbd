/** What a page's directory says of it. */
export interface TiffHead {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** How its pixels are packed, in TIFF's numbers; 1 is not at all. */
  readonly compression: number;
  /** What a pixel's numbers mean, in TIFF's numbers; 1 is gray. */
  readonly colours: number;
  /** How it has to be turned, in the same numbers as EXIF's. */
  readonly orientation: number;
}

const WIDTH = 256, HEIGHT = 257, COMPRESSION = 259, COLOURS = 262, ORIENTATION = 274;
const SHORT = 3;
/** More pages than any scan has. */
const MOST_PAGES = 10_000;

/** Where each page's directory starts. A chain of directories that leads in a circle ends before it repeats. */
export function tiffPages(bytes: Uint8Array): readonly number[] {
  const view = viewOf(bytes);
  const pages = new Set<number>();
  try {
    const little = isLittle(view);
    for (
      let at = view.getUint32(4, little);
      at !== 0 && !pages.has(at) && pages.size < MOST_PAGES;
    ) {
      const next = view.getUint32(endOfDirectory(view, at), little);
      pages.add(at);
      at = next;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // cut off: the pages before the cut may be whole
  }
  return [...pages];
}

/** The same file with one page alone, for decoders that read the first only or follow every chain. */
export function tiffPage(
  bytes: Uint8Array,
  page: number,
): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes);
  const view = viewOf(copy);
  view.setUint32(4, page, isLittle(view));
  view.setUint32(endOfDirectory(view, page), 0);
  return copy;
}

/** The head of the page whose directory starts there; undefined where it is cut off or has no size. */
export function tiffHead(bytes: Uint8Array, directory: number): TiffHead | undefined {
  try {
    const found = tags(viewOf(bytes), directory);
    const width = found.get(WIDTH), height = found.get(HEIGHT);
    if (!width || !height) return undefined;
    return {
      width,
      height,
      compression: found.get(COMPRESSION) ?? 1,
      colours: found.get(COLOURS) ?? 1,
      orientation: found.get(ORIENTATION) ?? 1,
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A directory's tags with the values that stand in it. */
function tags(view: DataView, directory: number): ReadonlyMap<number, number> {
  const little = isLittle(view);
  const found = new Map<number, number>();
  for (let entry = directory + 2; entry < endOfDirectory(view, directory); entry += 12) {
    const isShort = view.getUint16(entry + 2, little) === SHORT;
    const value = isShort ? view.getUint16(entry + 8, little) : view.getUint32(entry + 8, little);
    found.set(view.getUint16(entry, little), value);
  }
  return found;
}

/** Where the pointer to the next directory stands. */
function endOfDirectory(view: DataView, directory: number): number {
  return directory + 2 + 12 * view.getUint16(directory, isLittle(view));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function isLittle(view: DataView): boolean {
  return view.getUint16(0) === 0x4949;
}
