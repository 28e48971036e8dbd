import { imageHead } from "./image.ts";
import { readUpright } from "./orientation.ts";
import { PdfReader } from "./pdf.ts";
import {
  type Block,
  type Engines,
  type Job,
  type Outcome,
  type Page,
  Refusal,
  type Source,
} from "./protocol.ts";
import { Tesseract } from "./tesseract.ts";
import { tiffFrom, tiffPages } from "./tiff.ts";

/** A4 at 600 dpi has 35 million. */
const MOST_PIXELS = 50_000_000;

type PageJob = Extract<Job, { kind: "page" }>;

/** Does jobs, one after the other. Each engine is started when it is first needed. */
export class Reader {
  readonly #engines: Engines;
  #tesseract: Promise<Tesseract> | undefined;
  #pdf: Promise<PdfReader> | undefined;

  constructor(engines: Engines) {
    this.#engines = engines;
  }

  /** Never rejects. */
  async do(job: Job): Promise<Outcome> {
    try {
      return job.kind === "count"
        ? { pages: await this.#count(job.source) }
        : { page: await this.#read(job) };
    } catch (error) {
      if (error instanceof Refusal) return { refused: error.code, message: error.message };
      return { crashed: error instanceof Error ? error.stack ?? error.message : String(error) };
    }
  }

  async #count(source: Source): Promise<number> {
    if (source.format === "pdf") return (await this.#pdfReader()).countPages(source);
    return source.format === "tiff" ? tiffPages(source.bytes).length || refuse() : 1;
  }

  async #read(job: PageJob): Promise<Page> {
    if (job.source.format === "pdf") return await this.#readPdf(job);
    if (job.source.format === "image") {
      return await this.#readImage(new Uint8Array(job.source.bytes), job.languages);
    }
    const directory = tiffPages(job.source.bytes)[job.page] ?? refuse();
    return await this.#readImage(tiffFrom(job.source.bytes, directory), job.languages);
  }

  async #readPdf({ source, page: index, languages }: PageJob): Promise<Page> {
    const pdf = await this.#pdfReader();
    const found = pdf.withPage(source, index, (page) => {
      if (page.isEmpty) return { text: "", blocks: [] };
      return page.textLayer() ?? page.draw();
    });
    if ("text" in found) return found;
    const read = await this.#recognise(found.image, languages, 1, found.dpi);
    return { text: read.text, blocks: read.blocks.map((block) => scaled(block, found.toPagePixels)) };
  }

  async #readImage(image: Uint8Array, languages: readonly string[]): Promise<Page> {
    const head = imageHead(image) ?? refuse();
    if (head.width * head.height > MOST_PIXELS) {
      throw new Refusal("too_large", `the image has more than ${MOST_PIXELS / 1e6} million pixels`);
    }
    return await this.#recognise(image, languages, head.orientation, undefined);
  }

  async #recognise(
    image: Uint8Array,
    languages: readonly string[],
    orientation: number,
    dpi: number | undefined,
  ): Promise<Page> {
    const tesseract = await (this.#tesseract ??= Tesseract.start(this.#engines));
    await tesseract.use(languages);
    tesseract.give(image);
    return readUpright((turn) => tesseract.read(turn, dpi), orientation).page;
  }

  #pdfReader(): Promise<PdfReader> {
    return this.#pdf ??= PdfReader.start(this.#engines);
  }
}

function refuse(): never {
  throw new Refusal("unsupported_format", "the image is damaged or cut off");
}

function scaled({ text, bbox }: Block, factor: number): Block {
  const [left, top, right, bottom] = bbox;
  const by = (value: number) => Math.round(value * factor);
  return { text, bbox: [by(left), by(top), by(right), by(bottom)] };
}
