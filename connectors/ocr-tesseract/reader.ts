import { imageHead } from "./image.ts";
import { readUpright } from "./orientation.ts";
import { PdfReader } from "./pdf.ts";
import {
  type Block,
  HEAVY_PIXELS,
  type Job,
  MOST_PIXELS,
  type Outcome,
  type Page,
  type PageFacts,
  Refusal,
  type Source,
  type WorkerStart,
} from "./protocol.ts";
import { Tesseract } from "./tesseract.ts";
import { tiffHead, tiffPage, tiffPages } from "./tiff.ts";
import { isForeign, unpackTiff } from "./tiff_pixels.ts";

/** In pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

type PageJob = Extract<Job, { kind: "page" }>;

/** Does jobs, one after the other. Each engine is started when it is first needed. */
export class Reader {
  readonly #start: WorkerStart;
  #tesseract: Promise<Tesseract> | undefined;
  #pdf: Promise<PdfReader> | undefined;

  constructor(start: WorkerStart) {
    this.#start = start;
  }

  /** Never rejects. */
  async do(job: Job): Promise<Outcome> {
    try {
      return job.kind === "open" ? { pages: await this.#open(job.source) } : { page: await this.#read(job) };
    } catch (error) {
      if (error instanceof Refusal) {
        return { refused: error.code, message: error.message };
      }
      return {
        crashed: error instanceof Error ? error.stack ?? error.message : String(error),
      };
    }
  }

  /** PDF pages are never heavy: they are drawn as large as it takes and no larger. */
  async #open(source: Source): Promise<readonly PageFacts[]> {
    if (source.format === "pdf") {
      return Array<PageFacts>((await this.#pdfReader()).countPages(source)).fill({ heavy: false });
    }
    if (source.format === "image") return [factsOf(imageHead(source.bytes))];
    const pages = tiffPages(source.bytes);
    return pages.length > 0 ? pages.map((page) => factsOf(tiffHead(source.bytes, page))) : refuse();
  }

  async #read(job: PageJob): Promise<Page> {
    if (job.source.format === "pdf") return await this.#readPdf(job);
    if (job.source.format === "tiff") return await this.#readTiff(job);
    const image = new Uint8Array(job.source.bytes);
    const head = checked(imageHead(image));
    return await this.#recognise(
      image,
      job.languages,
      head.orientation,
      undefined,
    );
  }

  async #readTiff({ source, page, languages }: PageJob): Promise<Page> {
    const directory = tiffPages(source.bytes)[page] ?? refuse();
    const head = checked(tiffHead(source.bytes, directory));
    const file = tiffPage(source.bytes, directory);
    if (!isForeign(head)) {
      return await this.#recognise(file, languages, 1, undefined);
    }
    return await this.#recognise(
      unpackTiff(file, head) ?? refuse(),
      languages,
      head.orientation,
      undefined,
    );
  }

  async #readPdf({ source, page: index, languages }: PageJob): Promise<Page> {
    const pdf = await this.#pdfReader();
    const found = pdf.withPage(source, index, (page) => {
      if (page.isEmpty) return { text: "", blocks: [] };
      return page.textLayer() ?? page.draw();
    });
    if ("text" in found) return found;
    const read = await this.#recognise(found.image, languages, 1, found.dpi);
    return {
      text: read.text,
      blocks: read.blocks.map((block) => scaled(block, found.toPagePixels)),
    };
  }

  async #recognise(
    image: Uint8Array,
    languages: readonly string[],
    orientation: number,
    dpi: number | undefined,
  ): Promise<Page> {
    const tesseract = await (this.#tesseract ??= Tesseract.start(this.#start));
    await tesseract.use(languages);
    tesseract.give(image);
    const { text, blocks } = readUpright((turn) => tesseract.read(turn, dpi), orientation).page;
    return { text, blocks };
  }

  #pdfReader(): Promise<PdfReader> {
    return this.#pdf ??= PdfReader.start(this.#start);
  }
}

function factsOf(head: Size | undefined): PageFacts {
  return { heavy: head !== undefined && head.width * head.height > HEAVY_PIXELS };
}

/** A head that is there, of an image that is not too large. */
function checked<T extends Size>(
  head: T | undefined,
): T {
  if (!head || head.width === 0 || head.height === 0) return refuse();
  if (head.width * head.height <= MOST_PIXELS) return head;
  throw new Refusal(
    "too_large",
    `the image has more than ${MOST_PIXELS / 1e6} million pixels`,
  );
}

function refuse(): never {
  throw new Refusal("unsupported_format", "the image is damaged or cut off");
}

function scaled({ text, bbox }: Block, factor: number): Block {
  const [left, top, right, bottom] = bbox;
  const by = (value: number) => Math.round(value * factor);
  return { text, bbox: [by(left), by(top), by(right), by(bottom)] };
}
