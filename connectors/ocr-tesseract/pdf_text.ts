import type { Pdfium } from "./pdfium.d.ts";
import type { Character } from "./text_layer.ts";

/** Every character of a page in the order of the file, with boxes in the page's own points. */
export function charactersOf(pdfium: Pdfium, page: number): readonly Character[] {
  const text = pdfium._FPDFText_LoadPage(page);
  const box = pdfium.wasmExports.malloc(4 * DOUBLE);
  try {
    const length = Math.max(0, pdfium._FPDFText_CountChars(text));
    return Array.from({ length }, (_, index) => ({
      code: pdfium._FPDFText_GetUnicode(text, index),
      unmapped: pdfium._FPDFText_HasUnicodeMapError(text, index) === 1,
      box: characterBox(pdfium, text, index, box),
    }));
  } finally {
    pdfium.wasmExports.free(box);
    pdfium._FPDFText_ClosePage(text);
  }
}

const DOUBLE = 8;

/** PDFium writes left, right, bottom and top as doubles to `at`. */
function characterBox(pdfium: Pdfium, text: number, index: number, at: number): Character["box"] {
  const ends = [at, at + DOUBLE, at + 2 * DOUBLE, at + 3 * DOUBLE] as const;
  if (!pdfium._FPDFText_GetCharBox(text, index, ...ends)) return undefined;
  const [left = 0, right = 0, bottom = 0, top = 0] = new Float64Array(pdfium.HEAPU8.buffer, at, 4);
  return [left, bottom, right, top];
}

/**
 * Turns a box of the page's own points into left, top, right and bottom in pixels, for a page shown `width` by `height`
 * pixels large and upright as its `/Rotate` says.
 */
export function pixelBox(
  pdfium: Pdfium,
  page: number,
  [left, bottom, right, top]: readonly [number, number, number, number],
  [width, height]: readonly [number, number],
): readonly [number, number, number, number] {
  const at = pdfium.wasmExports.malloc(2 * 4);
  const toPixel = (x: number, y: number) => {
    pdfium._FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, at, at + 4);
    const [pixelX = 0, pixelY = 0] = new Int32Array(pdfium.HEAPU8.buffer, at, 2);
    return [pixelX, pixelY] as const;
  };
  const [x1, y1] = toPixel(left, top), [x2, y2] = toPixel(right, bottom);
  pdfium.wasmExports.free(at);
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

const IMAGE = 3;

/** How much of a page of `area` square points its largest picture covers, 0 to 1. */
export function imageShare(pdfium: Pdfium, page: number, area: number): number {
  const at = pdfium.wasmExports.malloc(4 * 4);
  let largest = 0;
  for (let index = 0; index < pdfium._FPDFPage_CountObjects(page); index++) {
    const object = pdfium._FPDFPage_GetObject(page, index);
    if (pdfium._FPDFPageObj_GetType(object) !== IMAGE) continue;
    pdfium._FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12);
    const [left = 0, bottom = 0, right = 0, top = 0] = new Float32Array(pdfium.HEAPU8.buffer, at, 4);
    largest = Math.max(largest, Math.abs((right - left) * (top - bottom)));
  }
  pdfium.wasmExports.free(at);
  return Math.min(1, largest / area);
}
