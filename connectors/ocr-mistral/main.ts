/**
 * `ocr/v1` through Mistral's OCR API: `POST /v1/ocr` with the file as a data URL, the pages' markdown turned into plain
 * text. The vendor finds languages by itself, so `languages` is taken and passed over.
 * @module
 */
import { type Call, type HandlerFile, required, serve, setting, sniff } from "@handler/connector";
import { plainText } from "./markdown.ts";

type Code = "unsupported_format" | "too_large" | "unavailable";

interface Tools {
  ocr_extract: {
    input: { path: HandlerFile; languages?: readonly string[] };
    output: { pages: { text: string }[] };
  };
}

const ENDPOINT = "https://api.mistral.ai/v1/ocr";
/** A little under the interface's 120 s, so that the caller hears `unavailable` and not only that time ran out. */
const PATIENCE_MS = 115_000;
const IMAGES = new Set(["image/png", "image/jpeg", "image/tiff", "image/gif", "image/webp", "image/bmp"]);

const key = required("MISTRAL_API_KEY");
const model = setting("MISTRAL_OCR_MODEL", "mistral-ocr-latest");

serve<Tools, Code>({
  async ocr_extract(input, call) {
    const response = await ask(await documentOf(input.path, call), call);
    const answer = response.ok ? await readJson(response, call) : await refuse(response, call);
    const pages = pagesOf(answer);
    if (!pages) return call.fail("unavailable", "the service's answer has no pages");
    call.units({ pages: pages.length });
    return { pages: pages.map((markdown) => ({ text: plainText(markdown) })) };
  },
});

/** The request's `document`; what is neither PDF nor image is not sent at all. */
async function documentOf(file: HandlerFile, call: Call<Code>): Promise<Record<string, string>> {
  const bytes = await file.bytes();
  const type = sniff(bytes);
  if (type === "application/pdf") {
    return { type: "document_url", document_url: `data:${type};base64,${await file.base64()}` };
  }
  if (type === undefined || !IMAGES.has(type)) {
    return call.fail("unsupported_format", "the file is neither a PDF nor an image");
  }
  return { type: "image_url", image_url: `data:${type};base64,${await file.base64()}` };
}

async function ask(document: Record<string, string>, call: Call<Code>): Promise<Response> {
  try {
    return await fetch(ENDPOINT, {
      method: "POST",
      redirect: "error",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model, document }),
      signal: AbortSignal.any([call.signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
  } catch (error) {
    return unreachable(error, call);
  }
}

async function readJson(response: Response, call: Call<Code>): Promise<unknown> {
  const text = await response.text().catch((error) => unreachable(error, call));
  try {
    return JSON.parse(text);
  } catch {
    return call.fail("unavailable", "the service's answer is not JSON");
  }
}

function unreachable(error: unknown, call: Call<Code>): never {
  call.signal.throwIfAborted();
  call.log(`no answer from ${ENDPOINT}: ${error instanceof Error ? error.message : error}`);
  return call.fail("unavailable", "the service did not answer");
}

/** The vendor's errors as the interface's; its own words go nowhere, they may repeat the document. */
async function refuse(response: Response, call: Call<Code>): Promise<never> {
  const { type, code } = vendorError(await response.text().catch(() => ""));
  call.log(`HTTP ${response.status}${type ? ` ${type}` : ""}${code ? ` (${code})` : ""}`);
  switch (response.status) {
    case 401:
    case 403:
      call.log("the key in the slot api_key was refused: make a new one, see PROVISIONING.md");
      return call.fail("unavailable", "the service refused its credential");
    case 402:
    case 429:
      return call.fail("unavailable", "the service is out of quota, or asked too often");
    case 413:
      return call.fail("too_large", "the service does not take a file of this size");
    case 400:
    case 415:
    case 422:
      if (isAboutFile(response.status, type)) {
        return call.fail("unsupported_format", "the service could not read the file as a PDF or an image");
      }
  }
  return call.fail("unavailable", `the service answered with HTTP ${response.status}`);
}

/** 415 by its meaning, 400 by the parser's error types (`document_parser_invalid_file`, `invalid_file`). */
function isAboutFile(status: number, type: string | undefined): boolean {
  return status === 415 || /file|document/.test(type ?? "");
}

function vendorError(text: string): { type: string | undefined; code: string | undefined } {
  const token = (value: unknown) => typeof value === "string" && /^\w{1,60}$/.test(value) ? value : undefined;
  try {
    const body = JSON.parse(text);
    return { type: token(body?.type), code: token(body?.code) };
  } catch {
    return { type: undefined, code: undefined };
  }
}

/** The markdown of each page in the document's order; undefined where the answer is not as documented. */
function pagesOf(answer: unknown): string[] | undefined {
  const pages = (answer as { pages?: unknown } | null)?.pages;
  if (!Array.isArray(pages) || pages.length === 0) return undefined;
  if (!pages.every((page) => typeof page?.markdown === "string")) return undefined;
  return pages.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)).map((page) => page.markdown);
}
