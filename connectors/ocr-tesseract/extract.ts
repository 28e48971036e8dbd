import { type Call, type HandlerFile, sniff } from "@handler/connector";
import type { Pool } from "./pool.ts";
import type { Outcome, Page, Source } from "./protocol.ts";

const FORMATS: Readonly<Record<string, Source["format"]>> = {
  "application/pdf": "pdf",
  "image/jpeg": "image",
  "image/png": "image",
  "image/tiff": "tiff",
};

type OcrCall = Call<"unsupported_format" | "too_large" | "unavailable">;

let lastKey = 0;

/** Reads every page of a file, several at a time, in order. */
export async function extract(
  file: HandlerFile,
  languages: readonly string[],
  pool: Pool,
  call: OcrCall,
): Promise<readonly Page[]> {
  const source = await sourceOf(file, call);
  const turn = Symbol();
  // one page that fails stops the others
  const others = new AbortController();
  const signal = AbortSignal.any([call.signal, others.signal]);
  const opened = settled(await pool.run({ kind: "open", source }, turn, signal), call);
  const facts = "pages" in opened ? opened.pages : [];
  const total = facts.length;
  let done = 0;
  const pages = facts.map(async ({ heavy }, page) => {
    const job = { kind: "page", source, page, languages, heavy } as const;
    const outcome = settled(await pool.run(job, turn, signal), call);
    call.progress(++done, total, `page ${done} of ${total}`);
    return "page" in outcome ? outcome.page : { text: "", blocks: [] };
  });
  try {
    const read = await Promise.all(pages);
    call.units({ pages: total });
    return read;
  } catch (error) {
    others.abort();
    await Promise.allSettled(pages);
    throw error;
  }
}

async function sourceOf(file: HandlerFile, call: OcrCall): Promise<Source> {
  const bytes = await file.bytes();
  const format = FORMATS[sniff(bytes) ?? ""];
  if (!format) {
    call.fail("unsupported_format", "the file is not a PDF, PNG, JPEG or TIFF");
  }
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return { key: ++lastKey, format: format as Source["format"], bytes: shared };
}

/** Passes on what went well; a refusal and a crash end the call. */
function settled(
  outcome: Outcome,
  call: OcrCall,
): Exclude<Outcome, { refused: string } | { crashed: string }> {
  if ("refused" in outcome) call.fail(outcome.refused, outcome.message);
  if ("crashed" in outcome) throw new Error(outcome.crashed);
  return outcome;
}
