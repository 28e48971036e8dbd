// @deno-types="./utif.d.ts"
import UTIF from "utif2";
import { grayImage } from "./pnm.ts";
import type { TiffHead } from "./tiff.ts";

const JPEG = 7, DEFLATE = [8, 32946];
/** What a pixel's numbers mean: white or black is zero, red-green-blue, an index into a palette; and JPEG's own. */
const COLOURS = [0, 1, 2, 3], JPEG_COLOURS = [0, 1, 2, 6];

/** Whether a page has to be unpacked here: Tesseract's own TIFF reader was built without JPEG and Deflate. */
export function isForeign({ compression }: TiffHead): boolean {
  return compression === JPEG || DEFLATE.includes(compression);
}

/** Unpacks a file of one page into shades of gray, as a PNM file; undefined where it cannot be. */
export function unpackTiff(file: Uint8Array<ArrayBuffer>, head: TiffHead): Uint8Array | undefined {
  const isJpeg = head.compression === JPEG;
  if (!(isJpeg ? JPEG_COLOURS : COLOURS).includes(head.colours)) return undefined;
  try {
    const [page] = UTIF.decode(file.buffer);
    if (!page) return undefined;
    // its JPEG decoder gives red, green and blue whatever the picture has, and it must make room for them
    if (isJpeg) Object.assign(page, { t277: [3], t258: [8, 8, 8], t262: [2] });
    UTIF.decodeImage(file.buffer, page);
    const pixels = grayOf(UTIF.toRGBA8(page));
    return pixels.length === head.width * head.height
      ? grayImage(head.width, head.height, pixels)
      : undefined;
  } catch {
    return undefined; // the decoder throws whatever a damaged file leads it to
  }
}

/** Luminance of red, green, blue and alpha, on white. */
function grayOf(rgba: Uint8Array): Uint8Array {
  const gray = new Uint8Array(rgba.length / 4);
  for (let i = 0, at = 0; i < gray.length; i++, at += 4) {
    const luminance = (rgba[at]! * 77 + rgba[at + 1]! * 150 + rgba[at + 2]! * 29) / 256;
    gray[i] = 255 - ((255 - luminance) * rgba[at + 3]!) / 255;
  }
  return gray;
}
