import type { PDFDocumentProxy } from "pdfjs-dist";
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?url";

/** A document's pages as they can be drawn. */
export interface PdfPages {
  readonly count: number;
  /** The size of a page, in pixels of 200 dots per inch, turned as it is read. @param page from 0 */
  size(page: number): Promise<{ readonly width: number; readonly height: number }>;
  /** Draws a page as wide as this many pixels. @param page from 0 */
  draw(page: number, canvas: HTMLCanvasElement, width: number, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** What services measure the page of a PDF in, against the 72 points of an inch. */
const SCALE = 200 / 72;
const DATA = "/assets/pdf/";

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): {
    createScriptURL(url: string): string;
  };
}

let trustedUrl: string | undefined;

/** Opens a document; the reader comes only now, with a worker of this page's own origin. */
export async function openPdf(data: Uint8Array): Promise<PdfPages> {
  const { getDocument, PDFWorker } = await import("pdfjs-dist");
  const port = new Worker(scriptUrl(), { type: "module" });
  // no WebAssembly: the page's policy lets no text become code
  const task = getDocument({
    data,
    worker: PDFWorker.create({ port }),
    cMapUrl: DATA,
    standardFontDataUrl: DATA,
    wasmUrl: new URL(DATA, location.href).href,
    useWasm: false,
    useSystemFonts: false,
  });
  const close = async () => {
    await task.destroy().catch(() => {});
    port.terminate();
  };
  try {
    return pagesOf(await task.promise, close);
  } catch (error) {
    await close();
    throw error;
  }
}

function pagesOf(document: PDFDocumentProxy, close: () => Promise<void>): PdfPages {
  return {
    count: document.numPages,
    async size(page) {
      const { width, height } = (await document.getPage(page + 1)).getViewport({ scale: SCALE });
      return { width, height };
    },
    async draw(page, canvas, width, signal) {
      const proxy = await document.getPage(page + 1);
      const scale = width / proxy.getViewport({ scale: 1 }).width;
      const viewport = proxy.getViewport({ scale });
      if (signal.aborted) return;
      canvas.width = Math.round(viewport.width);
      canvas.height = Math.round(viewport.height);
      const drawing = proxy.render({ canvas, viewport });
      signal.addEventListener("abort", () => drawing.cancel(), { once: true });
      await drawing.promise.catch((error) => {
        if (!signal.aborted) throw error;
      });
    },
    close,
  };
}

/** A browser that asks for a policy gets one that knows the worker's address and no other. */
function scriptUrl(): string {
  const types = (globalThis as { readonly trustedTypes?: TrustedTypes }).trustedTypes;
  if (!types) return workerUrl;
  trustedUrl ??= types.createPolicy("handler-worker", {
    createScriptURL(url) {
      if (url !== workerUrl) throw new TypeError("only the reader of documents may be started");
      return url;
    },
  }).createScriptURL(workerUrl);
  return trustedUrl;
}
