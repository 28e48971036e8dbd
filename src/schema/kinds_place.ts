import { NAME_PATTERN } from "../base/mod.ts";
import { type Kind, leaf, unshown } from "./kind.ts";

/**
 * An absolute path without `..`; a trailing slash is dropped. Where `home` is given, `~` and `~/…` mean the person's
 * home folder.
 */
export function absolutePath(options: { readonly home?: () => string } = {}): Kind<string> {
  const { home } = options;
  const rule = `an absolute path${home ? " or one that starts with ~/" : ""}, without ".."`;
  return leaf(rule, (value) => {
    if (typeof value !== "string" || value.includes("\0") || value.length > 4096) return undefined;
    const whole = home && /^~(\/|$)/.test(value) ? home() + value.slice(1) : value;
    if (!whole.startsWith("/") || whole.split("/").includes("..")) return undefined;
    return whole.replace(/\/+/g, "/").replace(/(.)\/$/, "$1");
  });
}

/** A path inside some folder: relative, without `..`. */
export const relativePath: Kind<string> = leaf('a relative path without ".."', (value) => {
  if (typeof value !== "string" || value === "" || value.length > 4096 || /[\0\\]/.test(value)) {
    return undefined;
  }
  const parts = value.replace(/^\.\//, "").split("/");
  return parts.some((part) => part === "" || part === "." || part === "..") ? undefined : parts.join("/");
});

/** `ocr/v1`: an interface's name and version. */
export const interfaceId: Kind<string> = leaf('an interface and its version such as "ocr/v1"', (value) => {
  const parts = typeof value === "string" ? /^([^/]+)\/v([1-9][0-9]{0,3})$/.exec(value) : null;
  return parts && NAME_PATTERN.test(parts[1] ?? "") ? parts[0] : undefined;
});

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** `host:port`: a DNS name in lower case, an IPv4 address or an IPv6 address in brackets; `*.` in front where allowed. */
export function hostPort(options: { readonly wildcard?: boolean } = {}): Kind<string> {
  const rule = `a host in lower case and a port such as "api.example.com:443"${
    options.wildcard ? ' or "*.example.com:443"' : ""
  }`;
  return leaf(rule, (value) => {
    const parts = typeof value === "string" ? /^(.+):([1-9][0-9]{0,4})$/.exec(value) : null;
    if (!parts || Number(parts[2]) > 65535) return undefined;
    return isHost(parts[1] ?? "", options.wildcard ?? false) ? parts[0] : undefined;
  });
}

function isHost(host: string, wildcard: boolean): boolean {
  if (host.startsWith("[")) return URL.canParse(`http://${host}/`);
  const name = wildcard && host.startsWith("*.") ? host.slice(2) : host;
  if (name !== host && !name.includes(".")) return false;
  return name.length <= 253 && name.split(".").every((label) => LABEL.test(label));
}

/** An http or https URL without a user's name and password in it; a refused one is not shown. */
export const url: Kind<string> = unshown(
  leaf("an http or https URL without a user name or password in it", (value) => {
    if (typeof value !== "string" || !URL.canParse(value)) return undefined;
    const parsed = new URL(value);
    const plain = (parsed.protocol === "https:" || parsed.protocol === "http:") && !parsed.username &&
      !parsed.password;
    return plain ? value : undefined;
  }),
);
