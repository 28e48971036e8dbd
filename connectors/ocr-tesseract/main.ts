import { type HandlerFile, numberSetting, serve, setting } from "@handler/connector";
import { dataFor } from "./languages.ts";
import { loadEngines } from "./engines.ts";
import { extract } from "./extract.ts";
import { Pool } from "./pool.ts";
import type { Page } from "./protocol.ts";

/** ocr/v1 */
interface Ocr {
  readonly ocr_extract: {
    readonly input: {
      readonly path: HandlerFile;
      readonly languages?: readonly string[];
    };
    readonly output: { readonly pages: readonly Page[] };
  };
}

const MOST_WORKERS = 4;
const processors = Math.min(navigator.hardwareConcurrency, MOST_WORKERS);
const fallback = setting("OCR_LANGUAGES", "en").split("+");

const isBundled = import.meta.url.endsWith(".js");
const pool = new Pool({
  size: numberSetting("OCR_WORKERS", processors),
  engines: () => loadEngines(new URL("./assets/", import.meta.url)),
  script: new URL(isBundled ? "./worker.js" : "./worker.ts", import.meta.url),
});

serve<Ocr, "unsupported_format" | "too_large" | "unavailable">({
  ocr_extract: async (input, call) => ({
    pages: await extract(
      input.path,
      dataFor(input.languages ?? fallback, fallback),
      pool,
      call,
    ),
  }),
});
