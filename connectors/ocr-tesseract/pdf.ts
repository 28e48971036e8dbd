import { PDFiumModule } from "@hyzyla/pdfium";
import type { Pdfium } from "./pdfium.d.ts";
import { PdfPage } from "./pdf_page.ts";
import { type Engines, Refusal, type Source } from "./protocol.ts";

/** What `FPDF_GetLastError` says of a document that needs a password, and of one locked in another way. */
const PASSWORD = 4, SECURITY = 5;

/** PDFium in this thread, with the document that was used last kept open. */
export class PdfReader {
  readonly #pdfium: Pdfium;
  #open: {
    readonly key: number;
    readonly document: number;
    readonly at: number;
  } | undefined;

  private constructor(pdfium: Pdfium) {
    this.#pdfium = pdfium;
  }

  static async start({ pdfium }: Engines): Promise<PdfReader> {
    const started = await PDFiumModule({
      instantiateWasm(imports, done) {
        const give = done as unknown as (
          instance: WebAssembly.Instance,
          module: WebAssembly.Module,
        ) => void;
        WebAssembly.instantiate(pdfium, imports).then((instance) => give(instance, pdfium));
        return {};
      },
    }) as unknown as Pdfium;
    started._FPDF_InitLibraryWithConfig(0);
    return new PdfReader(started);
  }

  /** @throws {Refusal} where it is no whole PDF or needs a password. */
  countPages(source: Source): number {
    const count = this.#pdfium._FPDF_GetPageCount(this.#document(source));
    if (count < 1) {
      throw new Refusal(
        "unsupported_format",
        "the PDF has no pages; it may be damaged",
      );
    }
    return count;
  }

  /** Lends one page, from 0, to `use`. */
  withPage<T>(source: Source, index: number, use: (page: PdfPage) => T): T {
    const page = PdfPage.load(this.#pdfium, this.#document(source), index);
    try {
      return use(page);
    } finally {
      page.close();
    }
  }

  #document(source: Source): number {
    if (this.#open?.key === source.key) return this.#open.document;
    this.#close();
    const at = this.#pdfium.wasmExports.malloc(source.bytes.length);
    this.#pdfium.HEAPU8.set(source.bytes, at);
    const document = this.#pdfium._FPDF_LoadMemDocument(
      at,
      source.bytes.length,
      0,
    );
    if (document === 0) {
      this.#pdfium.wasmExports.free(at);
      throw refusal(this.#pdfium._FPDF_GetLastError());
    }
    this.#open = { key: source.key, document, at };
    return document;
  }

  #close(): void {
    if (!this.#open) return;
    this.#pdfium._FPDF_CloseDocument(this.#open.document);
    this.#pdfium.wasmExports.free(this.#open.at);
    this.#open = undefined;
  }
}

function refusal(code: number): Refusal {
  if (code === PASSWORD || code === SECURITY) {
    return new Refusal("unsupported_format", "the PDF needs a password");
  }
  return new Refusal("unsupported_format", "the PDF is damaged or cut off");
}
