/** What an image file's head says: its size in pixels, and how it has to be turned (EXIF's numbers). */
export interface ImageHead {
  readonly width: number;
  readonly height: number;
  readonly orientation: number;
}

/** Reads the head of a PNG or JPEG file; undefined where it is none or is cut off before its size. */
export function imageHead(bytes: Uint8Array): ImageHead | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (view.getUint32(0) === 0x89504e47) {
      return {
        width: view.getUint32(16),
        height: view.getUint32(20),
        orientation: 1,
      };
    }
    return view.getUint16(0) === 0xffd8 ? jpegHead(view) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const APP1 = 0xe1;
const ORIENTATION = 0x0112;

/** Walks the segments up to the frame header, which has the size. */
function jpegHead(view: DataView): ImageHead {
  let orientation = 1;
  for (let at = 2;;) {
    if (view.getUint8(at) !== 0xff) {
      throw new RangeError("no JPEG segment where one should start");
    }
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker)) {
      return {
        height: view.getUint16(at + 5),
        width: view.getUint16(at + 7),
        orientation,
      };
    }
    const length = view.getUint16(at + 2);
    if (marker === APP1) {
      orientation = exifOrientation(view, at + 4, length - 2) ?? orientation;
    }
    at += 2 + length;
  }
}

/** SOF0 to SOF15, without the three numbers among them that mean something else. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf &&
    ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** The orientation in an APP1 segment: `Exif\0\0`, then a TIFF whose first directory may have the tag. */
function exifOrientation(
  view: DataView,
  at: number,
  length: number,
): number | undefined {
  if (length < 14 || view.getUint32(at) !== 0x45786966) return undefined;
  const tiff = new DataView(view.buffer, view.byteOffset + at + 6, length - 6);
  try {
    const little = tiff.getUint16(0) === 0x4949;
    const directory = tiff.getUint32(4, little);
    for (let i = 0; i < tiff.getUint16(directory, little); i++) {
      const entry = directory + 2 + 12 * i;
      if (tiff.getUint16(entry, little) !== ORIENTATION) continue;
      const value = tiff.getUint16(entry + 8, little);
      return value >= 1 && value <= 8 ? value : undefined;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // a damaged EXIF part does not make the picture unreadable
  }
  return undefined;
}
