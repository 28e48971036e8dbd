import { HandlerError } from "../base/mod.ts";
import type { EgressRule } from "../sandbox/mod.ts";

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

const RULE = "egress is host:port with a lower-case host name, an address (IPv6 in brackets) or *.domain.tld";

/**
 * Reads `host:port` as manifests write it (contract A.3): `api.example.com:443`, `10.0.0.7:8080`, `[::1]:80`,
 * `*.example.com:443`. A wildcard stands for exactly the leading label and needs two labels after it.
 *
 * @throws {HandlerError} `invalid`
 */
export function parseEgress(text: string): EgressRule {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]]+):(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  const host = match?.[1]?.replace(/^\[|\]$/g, "") ?? "";
  const wellFormed = match !== null && port >= 1 && port <= 65535 && isHost(host, match[1]!.startsWith("["));
  if (!wellFormed) throw new HandlerError("invalid", `${RULE}, found ${JSON.stringify(text)}`);
  return { host, port, namedLocal: isLocalName(host) };
}

/** The egress that an http(s) URL needs; its default port where it names none. */
export function egressOfUrl(url: URL): EgressRule {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? (url.protocol === "http:" ? 80 : 443) : Number(url.port);
  return { host, port, namedLocal: isLocalName(host) };
}

/** `host:port`, as {@linkcode parseEgress} reads it. */
export function egressText({ host, port }: Pick<EgressRule, "host" | "port">): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/**
 * Whether a host, as written, means a machine nearby by itself: an address, `localhost`, a name of one label, or one
 * below a suffix that never leaves the local network. A public name that happens to resolve to such an address is not.
 */
export function isLocalName(host: string): boolean {
  if (IPV4.test(host) || host.includes(":")) return true;
  return !host.includes(".") || /\.(?:localhost|local|lan|internal|home\.arpa)$/.test(host);
}

function isHost(host: string, bracketed: boolean): boolean {
  if (bracketed) return URL.canParse(`http://[${host}]/`);
  if (IPV4.test(host)) return true;
  if (/^[\d.]+$/.test(host) || host.length > 253) return false; // 127.1 and 2130706433 are addresses in disguise
  const labels = host.split(".");
  const plain = labels[0] === "*" ? labels.slice(1) : labels;
  if (labels[0] === "*" && plain.length < 2) return false;
  return plain.length > 0 && plain.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
}
