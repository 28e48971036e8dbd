// @deno-types="./tesseract-core.d.ts"
import startCore from "tesseract.js-core/tesseract-core-relaxedsimd-lstm.js";
import { type Reading, readingOf } from "./layout.ts";
import { isTilted, tiltedPage } from "./tilt.ts";
import { Refusal, type WorkerStart } from "./protocol.ts";

/** Page segmentation as one column of text in several sizes: best on invoices and letters, whose table rows stay whole. */
const SINGLE_COLUMN = "4";
/** Page segmentation that also finds by how much the lines are tilted. */
const AUTOMATIC = "3";
const LSTM_ONLY = 1;

type Core = Awaited<ReturnType<typeof startCore>>;

/** Tesseract in this thread, its languages loaded when they are asked for. */
export class Tesseract {
  readonly #core: Core;
  readonly #assets: string;
  readonly #loaded = new Set<string>();
  readonly #api: InstanceType<Core["TessBaseAPI"]>;
  #languages = "";

  private constructor(core: Core, assets: string) {
    this.#core = core;
    this.#assets = assets;
    this.#api = new core.TessBaseAPI();
  }

  static async start({ tesseract, assets, stop }: WorkerStart): Promise<Tesseract> {
    // the package is CommonJS and asks where it lies, though it is given its WebAssembly and reads nothing from there
    Object.assign(globalThis, { __dirname: "/" });
    const core = await startCore({
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(tesseract, imports).then((instance) => done(instance, tesseract));
        return {};
      },
      TesseractProgress() {
        if (Atomics.load(stop, 0) !== 0) throw new Error("the job was cancelled");
      },
      // what Tesseract prints is about images, and so about payloads
      print() {},
      printErr() {},
    });
    return new Tesseract(core, assets);
  }

  /** Makes ready for these languages. */
  async use(languages: readonly string[]): Promise<void> {
    const wanted = languages.join("+");
    if (wanted === this.#languages) return;
    for (const name of languages) await this.#load(name);
    this.#languages = "";
    if (this.#api.Init(null, wanted, LSTM_ONLY) !== 0) {
      throw new Error(`Tesseract did not take the data of ${wanted}`);
    }
    this.#languages = wanted;
  }

  /** Gives the image of the next {@linkcode read}, a whole PNM, PNG, JPEG or TIFF file. */
  give(image: Uint8Array): void {
    this.#core.FS.writeFile("/input", image);
  }

  /**
   * Reads the given image, turned as `orientation` says (EXIF's numbers, 1 is as stored) and straightened. `dpi` is for
   * images that do not tell theirs.
   *
   * @throws {Refusal} where the image cannot be decoded.
   */
  read(orientation: number, dpi: number | undefined): Reading {
    this.#api.SetVariable("user_defined_dpi", String(dpi ?? 0));
    this.#set(AUTOMATIC, orientation, 0);
    this.#api.FindLines();
    const gradient = this.#api.GetGradient();
    const radians = isTilted(gradient) ? gradient : 0;
    this.#set(SINGLE_COLUMN, orientation, radians);
    this.#api.Recognize(null);
    const { page, ...sureness } = readingOf(this.#api.GetTSVText(0));
    this.#api.Clear();
    return {
      ...sureness,
      page: radians === 0 ? page : tiltedPage(page, radians),
    };
  }

  #set(segmentation: string, orientation: number, radians: number): void {
    this.#api.SetVariable("tessedit_pageseg_mode", segmentation);
    if (this.#api.SetImageFile(orientation, radians) === 0) return;
    throw new Refusal(
      "unsupported_format",
      "the image is damaged or of a kind that cannot be read",
    );
  }

  async #load(name: string): Promise<void> {
    if (this.#loaded.has(name)) return;
    using file = await Deno.open(
      new URL(`${name}.traineddata.gz`, this.#assets),
    );
    const plain = file.readable.pipeThrough(new DecompressionStream("gzip"));
    this.#core.FS.writeFile(
      `${name}.traineddata`,
      await new Response(plain).bytes(),
    );
    this.#loaded.add(name);
  }
}
