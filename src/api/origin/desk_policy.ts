import type { FrontRequest, RawHeader } from "../../platform/mod.ts";
import { valuesOf } from "./host.ts";
import { refusedRequest } from "./policy.ts";

/** Nothing from elsewhere, nothing to elsewhere, no text that becomes code. */
const PAGE_CONTENT = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "frame-src 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types svelte-trusted-html handler-worker",
].join("; ");

/** An answer of the API can be a file of somebody's: opened by itself, it shows and does nothing. */
const DATA_CONTENT =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

const COMMON: readonly RawHeader[] = [
  ["x-dns-prefetch-control", "off"],
  ["referrer-policy", "no-referrer"],
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
  ["cross-origin-opener-policy", "same-origin"],
  ["cross-origin-resource-policy", "same-origin"],
  ["permissions-policy", "camera=(), microphone=(), geolocation=(), browsing-topics=()"],
];

/** What every file of the desk carries (contract H.6). */
export const DESK_HEADERS: readonly RawHeader[] = [["content-security-policy", PAGE_CONTENT], ...COMMON];

/** What every answer of the API carries on the desk's origin. */
export const DESK_DATA_HEADERS: readonly RawHeader[] = [["content-security-policy", DATA_CONTENT], ...COMMON];

/** What a browser may make of an answer of the API: data, or something to look at or hear; never code, style or a frame. */
const USES = new Set(["empty", "document", "image", "audio", "video", "track"]);

/**
 * Whether a request of the desk's origin may reach the API: one that changes something carries the desk's own Origin,
 * exactly once; one that reads does not come from another site or app; and nothing of the API is run as code.
 *
 * @returns why not, or undefined
 */
export function refusedAtDesk(request: FrontRequest, origin: string): string | undefined {
  const why = refusedRequest(request, origin);
  if (why !== undefined) return why;
  const uses = valuesOf(request.headers, "sec-fetch-dest");
  return uses.every((use) => USES.has(use)) ? undefined : "an answer of the API is data alone";
}
