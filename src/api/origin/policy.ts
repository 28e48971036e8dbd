import type { FrontRequest, RawHeader } from "../../platform/mod.ts";
import { valuesOf } from "./host.ts";

const CONTENT_SECURITY = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "object-src 'none'",
  "worker-src 'none'",
  "frame-src 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  "base-uri 'none'",
  "sandbox allow-scripts allow-same-origin allow-forms allow-modals allow-downloads", // no further windows
].join("; ");

/** What every answer of an app's origin carries (contract H.6): a page cannot send what it shows anywhere else. */
export const SECURITY_HEADERS: readonly RawHeader[] = [
  ["content-security-policy", CONTENT_SECURITY],
  ["x-dns-prefetch-control", "off"],
  ["referrer-policy", "no-referrer"],
  ["x-content-type-options", "nosniff"],
  ["cross-origin-opener-policy", "same-origin"],
  ["cross-origin-resource-policy", "same-origin"],
  ["permissions-policy", "camera=(self), microphone=(self), geolocation=(self), browsing-topics=()"],
];

/**
 * What a backend may say of its answer. Everything else is left out: many a header makes the browser reach out before the
 * policy is asked (`link`, `refresh`, `speculation-rules`, a policy of its own that reports to another host), sets what is
 * the daemon's (`set-cookie`, `clear-site-data`, `service-worker-allowed`, `access-control-…`), or belongs to the
 * connection.
 */
const THEIRS = new Set([
  "accept-ranges",
  "allow",
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "content-length",
  "content-range",
  "content-type",
  "date",
  "etag",
  "expires",
  "idempotency-key",
  "last-modified",
  "location",
  "pragma",
  "retry-after",
  "server-timing",
  "vary",
]);

/** Headers of an app's own making; browsers know none that begin so but these few. */
const OWN = /^x-(?!content-type-options$|dns-prefetch-control$|frame-options$|sourcemap$|handler-)/;

/** A backend's headers as the client gets them: what is the daemon's is the daemon's. */
export function answerHeaders(status: number, headers: readonly RawHeader[]): readonly RawHeader[] {
  const kept = headers.filter(([given, value]) => {
    const name = given.toLowerCase();
    if (name === "location") return isLocalPath(value);
    if (name === "content-length") return status !== 204;
    return THEIRS.has(name) || OWN.test(name);
  });
  return [...kept, ...SECURITY_HEADERS];
}

/** A redirect may lead to another path of the same app and nowhere else. */
function isLocalPath(location: string): boolean {
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(location);
}

const SAFE = new Set(["GET", "HEAD"]);

/**
 * Whether a request may reach the backend (contract H.7): one that changes something must carry the app's own Origin,
 * exactly once; one that reads must not come from another site or app.
 *
 * @returns why not, or undefined
 */
export function refusedRequest({ method, headers }: FrontRequest, origin: string): string | undefined {
  const origins = valuesOf(headers, "origin");
  if (origins.length > 1 || (origins.length === 1 && origins[0] !== origin)) {
    return "the request comes from another origin";
  }
  const sites = valuesOf(headers, "sec-fetch-site");
  if (sites.some((site) => site !== "same-origin" && site !== "none")) {
    return "the request comes from another site";
  }
  if (!SAFE.has(method) && origins.length === 0) return "a request that changes something says its Origin";
  return undefined;
}

/** A path that another reader could take for a different one. */
export function unreadableTarget(target: string): string | undefined {
  return /[\p{Cc} \\]|%(?:0[0-9a-f]|1[0-9a-f]|5c)|\/\.{1,2}(?:\/|$)/iu.test(target)
    ? "this path cannot be read"
    : undefined;
}

const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "host",
  "cookie",
  "forwarded",
  "expect",
]);

/** The client's headers as the backend gets them: no cookie, no spelling of the person's header, the person itself. */
export function backendHeaders(headers: readonly RawHeader[], app: string, person: string): RawHeader[] {
  const chunked = valuesOf(headers, "transfer-encoding").length > 0;
  const kept = headers.filter(([name]) => {
    const plain = name.toLowerCase().replaceAll("_", "-");
    return !HOP_BY_HOP.has(plain) && !plain.startsWith("x-handler-") && !plain.startsWith("x-forwarded-") &&
      !(chunked && plain === "content-length");
  });
  return [
    ["Host", `${app}.localhost`],
    ...kept,
    ...(chunked ? [["Transfer-Encoding", "chunked"] as const] : []),
    ["X-Handler-Person", person],
  ];
}
