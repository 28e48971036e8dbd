/**
 * A local server that speaks Mistral's documented OCR protocol: `POST /v1/ocr` with `model` and `document` (a data URL),
 * a bearer key, and the error bodies the vendor sends. What it "reads" comes from a table by the document's SHA-256.
 * @module
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { answerInSteps, type FakeRequest, type FakeServer, startFake } from "./server.ts";

/** How the fake answers the next requests. */
export type MistralBehaviour =
  | { readonly kind: "normal" }
  /** Begins to answer and lets the answer wait. */
  | { readonly kind: "slow"; readonly ms: number }
  /** An error of the vendor: 429 and 5xx, with their bodies. */
  | { readonly kind: "status"; readonly status: number }
  /** A 200 whose body is cut JSON. */
  | { readonly kind: "malformed" }
  /** A good answer with fields the documentation does not have. */
  | { readonly kind: "extra" }
  /** A good answer of about this many bytes of text. */
  | { readonly kind: "huge"; readonly bytes: number };

/** A running fake of the vendor. */
export interface FakeMistral extends FakeServer {
  /** What each accepted request asked for, the document left out. */
  readonly asked: readonly {
    readonly model: string;
    readonly type: string;
    readonly documentSha256: string;
  }[];
  behave(next: MistralBehaviour): void;
}

/** What the fake knows: a document's SHA-256 to the markdown of its pages. */
export type Answers = ReadonlyMap<string, readonly string[]>;

type Asked = { model: string; type: string; documentSha256: string };

interface State {
  readonly key: string;
  readonly answers: Answers;
  readonly asked: Asked[];
  behaviour: MistralBehaviour;
}

/** Builds the table of {@linkcode Answers} from documents and their pages. */
export function answersFor(documents: Iterable<readonly [Uint8Array, readonly string[]]>): Answers {
  return new Map(Array.from(documents, ([bytes, pages]) => [sha256(bytes), pages]));
}

/** Starts the fake for `api.mistral.ai` over TLS; `key` is the one key it lets in. */
export async function startFakeMistral(
  options: { readonly key: string; readonly answers: Answers },
): Promise<FakeMistral> {
  const state: State = { ...options, asked: [], behaviour: { kind: "normal" } };
  const server = await startFake({
    tlsNames: ["api.mistral.ai", "localhost", "127.0.0.1"],
    handle: (request, body, record) => handle(state, request, body, record),
  });
  return {
    ...server,
    asked: state.asked,
    behave: (next) => {
      state.behaviour = next;
    },
  };
}

async function handle(
  state: State,
  request: Request,
  body: Uint8Array,
  record: FakeRequest,
): Promise<Response> {
  if (request.method !== "POST" || record.path !== "/v1/ocr") {
    return Response.json({ detail: "Not Found" }, { status: 404 });
  }
  if (request.headers.get("authorization") !== `Bearer ${state.key}`) {
    return Response.json({ detail: "Unauthorized" }, { status: 401 });
  }
  if (state.behaviour.kind === "status") return vendorError(state.behaviour.status);
  const response = ocr(state, body);
  if (state.behaviour.kind !== "slow" || !response.ok) return response;
  return answerInSteps([state.behaviour.ms, await response.text()], record, "application/json");
}

function ocr(state: State, body: Uint8Array): Response {
  const asked = parse(body);
  if (!asked) return unprocessable();
  const { model, type, bytes } = asked;
  if (!model.startsWith("mistral-ocr")) {
    return failure(400, "invalid_model", "1500", `Invalid model: ${model}`);
  }
  if (!known(type, bytes)) {
    return failure(400, "document_parser_invalid_file", "3740", "Document is not a valid PDF.");
  }
  const documentSha256 = sha256(bytes);
  state.asked.push({ model, type, documentSha256 });
  const pages = state.answers.get(documentSha256) ?? [""];
  return respond(state.behaviour, model, pages, bytes.length);
}

function respond(
  behaviour: MistralBehaviour,
  model: string,
  pages: readonly string[],
  size: number,
): Response {
  const texts = behaviour.kind === "huge" ? [line.repeat(Math.ceil(behaviour.bytes / line.length))] : pages;
  const answer = {
    pages: texts.map((markdown, index) => ({
      index,
      markdown,
      images: [],
      dimensions: { dpi: 200, height: 2339, width: 1654 },
      ...(behaviour.kind === "extra" ? { confidence: 0.98, header: null, tables: [] } : {}),
    })),
    model,
    document_annotation: null,
    usage_info: { pages_processed: texts.length, doc_size_bytes: size },
    ...(behaviour.kind === "extra" ? { region: "eu", trace: { id: "x" } } : {}),
  };
  if (behaviour.kind !== "malformed") return Response.json(answer);
  return new Response(JSON.stringify(answer).slice(0, -20), {
    headers: { "content-type": "application/json" },
  });
}

const line = "Lorem ipsum dolor sit amet, consectetur adipiscing elit.\n";

function parse(body: Uint8Array): { model: string; type: string; bytes: Uint8Array } | undefined {
  try {
    const { model, document } = JSON.parse(new TextDecoder().decode(body));
    const url: unknown = document.type === "image_url" ? document.image_url : document.document_url;
    const found = /^data:(?:application|image)\/[a-z.+-]+;base64,/.exec(String(url));
    if (typeof model !== "string" || !found) return undefined;
    return { model, type: document.type, bytes: Buffer.from(String(url).slice(found[0].length), "base64") };
  } catch {
    return undefined;
  }
}

/** Whether the vendor could open it: a whole, unlocked PDF, or an image. */
function known(type: string, bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  if (type === "image_url") return /^(\x89PNG|\xff\xd8\xff|II\*\0|MM\0\*|GIF8|RIFF....WEBP|BM)/s.test(text);
  return text.startsWith("%PDF-") && text.includes("%%EOF") && !text.includes("/Encrypt");
}

function vendorError(status: number): Response {
  if (status === 429) return failure(429, "rate_limited", "1300", "Rate limit exceeded");
  if (status === 503) return new Response("upstream connect error", { status });
  return failure(status, "internal_server_error", "3700", "Service unavailable.");
}

function failure(status: number, type: string, code: string, message: string): Response {
  return Response.json({ object: "error", message, type, param: null, code, raw_status_code: status }, {
    status,
  });
}

function unprocessable(): Response {
  const msg =
    "Value error, Document content must be a URL (starting with 'https') or base64 encoded document";
  return Response.json({ detail: [{ type: "value_error", loc: ["body"], msg }] }, { status: 422 });
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
