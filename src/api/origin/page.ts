import { extname } from "node:path";
import type { FrontRequest, FrontResponse, RawHeader } from "../../platform/mod.ts";
import { type OpenedFile, openInside } from "../../platform/mod.ts";
import { valuesOf } from "./host.ts";
import { SECURITY_HEADERS } from "./policy.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".woff": "font/woff",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".mp3": "audio/mpeg",
  ".mp4": "video/mp4",
  ".pdf": "application/pdf",
};

/**
 * Names that a build made from the content may be kept for ever: eight letters and digits behind a sign, in the folder
 * that builds put them into, in both cases and not as a word has them. A name that is missed costs a question, one too
 * many an old file.
 */
const HASHED =
  /^\/assets\/.*[.-](?=[A-Z0-9_-]*[a-z])(?=[A-Za-z0-9_-][a-z0-9_-]*[A-Z])[A-Za-z0-9_-]{8}\.[a-z0-9]+$/;

/** The files of an origin's page. */
export interface Page {
  readonly folder: string;
  /** Other files, another mark. */
  readonly mark: string;
  /** What every answer carries: the origin's policy. */
  readonly policy: readonly RawHeader[];
}

/**
 * Answers with a file of the page: ETag, one range, what a build has compressed beforehand (`.br`, `.gz` beside it), names
 * with a hash for ever. A path without a file and without an ending is the page itself, for routes of its own.
 */
export async function servePage(page: Page, request: FrontRequest, response: FrontResponse): Promise<void> {
  const path = filePath(request.target);
  const refuse = (status: number, text: string, headers: readonly RawHeader[] = []) =>
    plain(response, status, text, headers, page.policy);
  if (path === undefined) return await refuse(400, "this path cannot be read\n");
  if (request.method !== "GET" && request.method !== "HEAD") {
    return await refuse(405, "the page takes GET and HEAD\n", [["allow", "GET, HEAD"]]);
  }
  if (valuesOf(request.headers, "service-worker").length > 0) {
    return await refuse(403, "no service workers\n");
  }
  const found = await findFile(page.folder, path, request);
  if (!found) return await refuse(404, "there is nothing here\n");
  await using file = found.file;
  const etag = `"${page.mark}-${file.size.toString(36)}${found.encoding ? `-${found.encoding}` : ""}"`;
  const headers: RawHeader[] = [
    ["content-type", TYPES[extname(found.path).toLowerCase()] ?? "application/octet-stream"],
    ["etag", etag],
    ["cache-control", HASHED.test(found.path) ? "private, max-age=31536000, immutable" : "private, no-cache"],
    ["vary", "accept-encoding"],
    ...(found.encoding
      ? [["content-encoding", found.encoding] as const]
      : [["accept-ranges", "bytes"] as const]),
    ...page.policy,
  ];
  if (valuesOf(request.headers, "if-none-match").some((tag) => tag.split(/,\s*/).includes(etag))) {
    return await response.send(304, headers);
  }
  const whole = found.encoding !== undefined || asksForAnother(request, etag);
  const range = whole ? undefined : wantedRange(request, file.size);
  if (range !== "wrong") return await sendFile(request, response, file, headers, range);
  await response.send(416, [["content-range", `bytes */${file.size}`], ...page.policy]);
}

/** A range of a version that is gone is answered with all of the one that is there. */
function asksForAnother({ headers }: FrontRequest, etag: string): boolean {
  const [wanted] = valuesOf(headers, "if-range");
  return wanted !== undefined && wanted !== etag;
}

async function sendFile(
  request: FrontRequest,
  response: FrontResponse,
  file: OpenedFile,
  headers: readonly RawHeader[],
  range: readonly [number, number] | undefined,
): Promise<void> {
  const [from, to] = range ?? [0, file.size - 1];
  const length: RawHeader = ["content-length", `${to - from + 1}`];
  const partial: RawHeader[] = range ? [["content-range", `bytes ${from}-${to}/${file.size}`]] : [];
  const all = [...headers, length, ...partial];
  if (request.method === "HEAD") return await response.send(range ? 206 : 200, all);
  await response.send(range ? 206 : 200, all, cutOut(file.chunks(), from, to));
}

/** One range; several at once are answered with the whole file, as RFC 9110 lets a server do. */
function wantedRange(request: FrontRequest, size: number): readonly [number, number] | "wrong" | undefined {
  const [header] = valuesOf(request.headers, "range");
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  const [, first = "", last = ""] = match;
  const from = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  return from > to || from >= size ? "wrong" : [from, to];
}

async function* cutOut(
  chunks: AsyncIterable<Uint8Array>,
  from: number,
  to: number,
): AsyncIterable<Uint8Array> {
  let at = 0;
  for await (const chunk of chunks) {
    const begin = Math.max(0, from - at), end = Math.min(chunk.length, to + 1 - at);
    if (begin < end) yield chunk.subarray(begin, end);
    at += chunk.length;
    if (at > to) return;
  }
}

/** The path below the page's folder; undefined for what no page links to. */
function filePath(target: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(target.split(/[?#]/, 1)[0]!);
  } catch {
    return undefined;
  }
  if (!path.startsWith("/") || /[\p{Cc}\\]/u.test(path) || path.split("/").includes("..")) return undefined;
  return path.endsWith("/") ? `${path}index.html` : path;
}

async function findFile(folder: string, path: string, request: FrontRequest) {
  const accepted = acceptedEncodings(request);
  const paths = extname(path) === "" ? [path, "/index.html"] : [path];
  const ways = ENCODINGS.filter(({ name }) => name === undefined || accepted.has(name));
  for (const one of paths) {
    for (const { ending, name: encoding } of ways) {
      const file = await openInside(folder, `${folder}${one}${ending}`).catch(() => undefined);
      if (file) return { file, path: one, encoding };
    }
  }
  return undefined;
}

/** The best first. */
const ENCODINGS = [
  { ending: ".br", name: "br" },
  { ending: ".gz", name: "gzip" },
  { ending: "", name: undefined },
] as const;

function acceptedEncodings({ headers }: FrontRequest): ReadonlySet<string> {
  const given = valuesOf(headers, "accept-encoding").join(",").toLowerCase().split(",");
  const wanted = given.filter((one) => !/;\s*q=0(?:\.0*)?\s*$/.test(one));
  return new Set(wanted.map((one) => one.split(";", 1)[0]!.trim()));
}

/** A short text, with the origin's headers: an app's where nothing else is said. */
export async function plain(
  response: FrontResponse,
  status: number,
  text: string,
  headers: readonly RawHeader[] = [],
  policy: readonly RawHeader[] = SECURITY_HEADERS,
): Promise<void> {
  const type: RawHeader = ["content-type", "text/plain; charset=utf-8"];
  const body = new TextEncoder().encode(text);
  await response.send(status, [type, ["cache-control", "no-store"], ...headers, ...policy], body);
}

/** The answer to a request for an address that is nobody's here. */
export async function notServed(response: FrontResponse): Promise<void> {
  await plain(response, 421, "this address is not served here\n");
}
