import type { Pdfium } from "./pdfium.d.ts";
import { charactersOf, imageShare, pixelBox } from "./pdf_text.ts";
import { grayImage } from "./pnm.ts";
import { HEAVY_PIXELS, type Page, Refusal } from "./protocol.ts";
import { isTextLayer, linesOf } from "./text_layer.ts";

/** PDF measures in points, 72 to the inch. */
const POINTS = 72;
const DPI = 200;
const GRAY = 1, WHITE = 0xffffffff;
const FLATTEN_FOR_DISPLAY = 0, FLATTEN_FAILED = 0;

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
  /** In points. */
  readonly #width: number;
  readonly #height: number;

  private constructor(pdfium: Pdfium, page: number) {
    this.#pdfium = pdfium;
    this.#page = page;
    this.#width = pdfium._FPDF_GetPageWidth(page);
    this.#height = pdfium._FPDF_GetPageHeight(page);
  }

  /**
   * Loads a page, from 0. Notes and the values of form fields are made part of it, so that they are read too.
   *
   * @throws {Refusal} where it is damaged
   */
  static load(pdfium: Pdfium, document: number, index: number): PdfPage {
    const page = loadPage(pdfium, document, index);
    if (pdfium._FPDFPage_GetAnnotCount(page) === 0) return new PdfPage(pdfium, page);
    if (pdfium._FPDFPage_Flatten(page, FLATTEN_FOR_DISPLAY) === FLATTEN_FAILED) {
      return new PdfPage(pdfium, page);
    }
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
    const characters = charactersOf(this.#pdfium, this.#page);
    const share = imageShare(this.#pdfium, this.#page, this.#width * this.#height);
    if (!isTextLayer(characters, share)) return undefined;
    const size = [this.#width, this.#height].map((points) => Math.round((points * DPI) / POINTS));
    const [width = 0, height = 0] = size;
    return linesOf(characters, (box) => pixelBox(this.#pdfium, this.#page, box, [width, height]));
  }

  /** Draws it as a scanner would have, at 200 dpi; a page larger than A2 with fewer. */
  draw(): Drawing {
    const full = DPI / POINTS;
    const scale = Math.min(full, Math.sqrt(HEAVY_PIXELS / (this.#width * this.#height)));
    const width = Math.max(1, Math.round(this.#width * scale));
    const height = Math.max(1, Math.round(this.#height * scale));
    const image = grayImage(width, height, this.#pixels(width, height));
    return { image, dpi: Math.round(scale * POINTS), toPagePixels: full / scale };
  }

  #pixels(width: number, height: number): Uint8Array {
    const pdfium = this.#pdfium;
    const at = pdfium.wasmExports.malloc(width * height);
    const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, GRAY, at, width);
    try {
      pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
      pdfium._FPDF_RenderPageBitmap(bitmap, this.#page, 0, 0, width, height, 0, 0);
      return pdfium.HEAPU8.slice(at, at + width * height);
    } finally {
      pdfium._FPDFBitmap_Destroy(bitmap);
      pdfium.wasmExports.free(at);
    }
  }
}

function loadPage(pdfium: Pdfium, document: number, index: number): number {
  const page = pdfium._FPDF_LoadPage(document, index);
  if (page === 0) throw new Refusal("unsupported_format", `page ${index + 1} of the PDF is damaged`);
  return page;
}
