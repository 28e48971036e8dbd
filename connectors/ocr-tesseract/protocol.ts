/** What the main thread and the workers tell each other. */

/** A whole file in memory that all threads share, so that it is there once whatever the number of workers. */
export interface Source {
  /** Told apart from other files by this number. */
  readonly key: number;
  readonly format: "pdf" | "tiff" | "image";
  readonly bytes: Uint8Array<SharedArrayBuffer>;
}

/** What a worker needs before its first job; the modules are compiled once for all workers. */
export interface Engines {
  readonly tesseract: WebAssembly.Module;
  readonly pdfium: WebAssembly.Module;
  /** Where the language data lies, a `file:` URL that ends in `/`. */
  readonly assets: string;
}

/** What one worker is started with. */
export interface WorkerStart extends Engines {
  /** One number; not 0 means stop. Ending a thread from outside takes effect two seconds later in busy WebAssembly. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

/** A piece of work. */
export type Job =
  | { readonly kind: "open"; readonly source: Source }
  | {
    readonly kind: "page";
    readonly source: Source;
    /** From 0. */
    readonly page: number;
    /** Names of Tesseract's data. */
    readonly languages: readonly string[];
    readonly heavy: boolean;
  };

/** What is known of a page before it is read. */
export interface PageFacts {
  /** It takes so much memory that no other of the kind may be read beside it. */
  readonly heavy: boolean;
}

/** One line of text and where it stands: left, top, right, bottom in pixels of the upright page. */
export interface Block {
  readonly text: string;
  readonly bbox: readonly [number, number, number, number];
}

/** One page as read. */
export interface Page {
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** Such images are read one at a time; A4 at 400 dpi has 15 million pixels. */
export const HEAVY_PIXELS = 16_000_000;

/** Larger ones are refused; A4 at 600 dpi has 35 million. */
export const MOST_PIXELS = 40_000_000;

/** How a job ended. A refusal is the file's fault, a crash is ours. */
export type Outcome =
  | { readonly pages: readonly PageFacts[] }
  | { readonly page: Page }
  | {
    readonly refused: "unsupported_format" | "too_large";
    readonly message: string;
  }
  | { readonly crashed: string };

/** A refusal on its way out of the engines. */
export class Refusal extends Error {
  readonly code: "unsupported_format" | "too_large";

  constructor(code: "unsupported_format" | "too_large", message: string) {
    super(message);
    this.code = code;
  }
}
