import { NAME_PATTERN } from "../../base/mod.ts";
import type { RawHeader } from "../../platform/mod.ts";

/** Whose origin a request is for. */
export type Origin =
  | { readonly kind: "desk" }
  /** The desk by the machine's own address: cookies and pages of two origins would be two desks, so it only leads there. */
  | { readonly kind: "loopback" }
  | { readonly kind: "app"; readonly name: string };

/**
 * Reads the raw Host header (contract H.1): exactly one, exactly `localhost:<port>`, `127.0.0.1:<port>` or
 * `<app>.localhost:<port>` as browsers write them, and, where the request line names a URL, the very same there. Upper
 * case, a trailing dot, user information, more labels and everything else is nobody's.
 */
export function originOf(headers: readonly RawHeader[], target: string, port: number): Origin | undefined {
  const hosts = valuesOf(headers, "host");
  if (hosts.length !== 1) return undefined;
  const host = hosts[0]!;
  if (!target.startsWith("/")) return undefined; // an absolute form could name another app
  if (host === `localhost:${port}`) return { kind: "desk" };
  if (host === `127.0.0.1:${port}`) return { kind: "loopback" };
  const ending = `.localhost:${port}`;
  const name = host.endsWith(ending) ? host.slice(0, -ending.length) : "";
  return NAME_PATTERN.test(name) ? { kind: "app", name } : undefined;
}

/** Every value of a header, in order. */
export function valuesOf(headers: readonly RawHeader[], name: string): readonly string[] {
  return headers.filter(([given]) => given.toLowerCase() === name).map(([, value]) => value);
}
