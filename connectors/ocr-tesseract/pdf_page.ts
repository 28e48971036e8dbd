import type { Pdfium } from "./pdfium.d.ts";
import { grayImage } from "./pnm.ts";
import { type Character, isTextLayer, linesOf } from "./text_layer.ts";
import { HEAVY_PIXELS, type Page } from "./protocol.ts";

/** PDF measures in points, 72 to the inch. */
const POINTS = 72;
const DPI = 200;
const GRAY = 1, WHITE = 0xffffffff;
const FLATTEN_FOR_DISPLAY = 0, FLATTEN_FAILED = 0;
const IMAGE_OBJECT = 3;

/** A page drawn in shades of gray, as a PNM file. */
export interface Drawing {
  readonly image: Uint8Array;
  readonly dpi: number;
  /** Multiplies a place on the drawing to get it in pixels at 200 dpi. */
  readonly toPagePixels: number;
}

/** One loaded page of a PDF, upright as its `/Rotate` says. */
export class PdfPage {
  readonly #pdfium: Pdfium;
  readonly #page: number;
  readonly #width: number;
  readonly #height: number;

  private constructor(pdfium: Pdfium, page: number) {
    this.#pdfium = pdfium;
    this.#page = page;
    this.#width = pdfium._FPDF_GetPageWidth(page);
    this.#height = pdfium._FPDF_GetPageHeight(page);
  }

  /** Notes and the values of form fields are made part of the page, so that they are read too. */
  static load(pdfium: Pdfium, document: number, index: number): PdfPage {
    const page = loadPage(pdfium, document, index);
    if (pdfium._FPDFPage_GetAnnotCount(page) === 0) {
      return new PdfPage(pdfium, page);
    }
    const flat = pdfium._FPDFPage_Flatten(page, FLATTEN_FOR_DISPLAY) !== FLATTEN_FAILED;
    if (!flat) return new PdfPage(pdfium, page);
    pdfium._FPDF_ClosePage(page);
    return new PdfPage(pdfium, loadPage(pdfium, document, index));
  }

  close(): void {
    this.#pdfium._FPDF_ClosePage(this.#page);
  }

  /** Whether nothing at all is on it. */
  get isEmpty(): boolean {
    return this.#pdfium._FPDFPage_CountObjects(this.#page) === 0;
  }

  /** The text that the file itself holds; undefined where there is none or it is no use. */
  textLayer(): Page | undefined {
    const characters = this.#characters();
    return isTextLayer(characters, this.#imageShare()) ? linesOf(characters) : undefined;
  }

  /** Draws it as a scanner would have, at 200 dpi; a page larger than A2 with fewer. */
  draw(): Drawing {
    const full = DPI / POINTS;
    const scale = Math.min(
      full,
      Math.sqrt(HEAVY_PIXELS / (this.#width * this.#height)),
    );
    const width = Math.max(1, Math.round(this.#width * scale));
    const height = Math.max(1, Math.round(this.#height * scale));
    const image = grayImage(width, height, this.#pixels(width, height));
    return {
      image,
      dpi: Math.round(scale * POINTS),
      toPagePixels: full / scale,
    };
  }

  #pixels(width: number, height: number): Uint8Array {
    const pdfium = this.#pdfium;
    const at = pdfium.wasmExports.malloc(width * height);
    const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, GRAY, at, width);
    try {
      pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
      pdfium._FPDF_RenderPageBitmap(
        bitmap,
        this.#page,
        0,
        0,
        width,
        height,
        0,
        0,
      );
      return pdfium.HEAPU8.slice(at, at + width * height);
    } finally {
      pdfium._FPDFBitmap_Destroy(bitmap);
      pdfium.wasmExports.free(at);
    }
  }

  #characters(): readonly Character[] {
    const pdfium = this.#pdfium;
    const text = pdfium._FPDFText_LoadPage(this.#page);
    const scratch = pdfium.wasmExports.malloc(40);
    try {
      return Array.from({
        length: Math.max(0, pdfium._FPDFText_CountChars(text)),
      }, (_, index) => ({
        code: pdfium._FPDFText_GetUnicode(text, index),
        unmapped: pdfium._FPDFText_HasUnicodeMapError(text, index) === 1,
        box: this.#characterBox(text, index, scratch),
      }));
    } finally {
      pdfium.wasmExports.free(scratch);
      pdfium._FPDFText_ClosePage(text);
    }
  }

  /** Left, right, bottom and top as four doubles at `scratch`, turned into pixels of the upright page at 200 dpi. */
  #characterBox(
    text: number,
    index: number,
    scratch: number,
  ): Character["box"] {
    const found = this.#pdfium._FPDFText_GetCharBox(
      text,
      index,
      scratch,
      scratch + 8,
      scratch + 16,
      scratch + 24,
    );
    if (!found) return undefined;
    const [left, right, bottom, top] = new Float64Array(
      this.#pdfium.HEAPU8.slice(scratch, scratch + 32).buffer,
    );
    const [x1, y1] = this.#toPixels(left ?? 0, top ?? 0, scratch + 32);
    const [x2, y2] = this.#toPixels(right ?? 0, bottom ?? 0, scratch + 32);
    return [
      Math.min(x1, x2),
      Math.min(y1, y2),
      Math.max(x1, x2),
      Math.max(y1, y2),
    ];
  }

  #toPixels(x: number, y: number, scratch: number): readonly [number, number] {
    const width = Math.round((this.#width * DPI) / POINTS),
      height = Math.round((this.#height * DPI) / POINTS);
    this.#pdfium._FPDF_PageToDevice(
      this.#page,
      0,
      0,
      width,
      height,
      0,
      x,
      y,
      scratch,
      scratch + 4,
    );
    const [pixelX = 0, pixelY = 0] = new Int32Array(
      this.#pdfium.HEAPU8.slice(scratch, scratch + 8).buffer,
    );
    return [pixelX, pixelY];
  }

  /** How much of the page its largest picture covers, 0 to 1. */
  #imageShare(): number {
    const pdfium = this.#pdfium;
    const scratch = pdfium.wasmExports.malloc(16);
    let largest = 0;
    for (let i = 0; i < pdfium._FPDFPage_CountObjects(this.#page); i++) {
      const object = pdfium._FPDFPage_GetObject(this.#page, i);
      if (pdfium._FPDFPageObj_GetType(object) !== IMAGE_OBJECT) continue;
      pdfium._FPDFPageObj_GetBounds(
        object,
        scratch,
        scratch + 4,
        scratch + 8,
        scratch + 12,
      );
      const bounds = new Float32Array(
        pdfium.HEAPU8.slice(scratch, scratch + 16).buffer,
      );
      const [left = 0, bottom = 0, right = 0, top = 0] = bounds;
      largest = Math.max(largest, Math.abs((right - left) * (top - bottom)));
    }
    pdfium.wasmExports.free(scratch);
    return Math.min(1, largest / (this.#width * this.#height));
  }
}

function loadPage(pdfium: Pdfium, document: number, index: number): number {
  const page = pdfium._FPDF_LoadPage(document, index);
  if (page === 0) {
    throw new Error(`page ${index + 1} of the PDF could not be loaded`);
  }
  return page;
}
