import type { EgressSockets } from "./egress/sockets.ts";
import { INSIDE } from "./inside.ts";
import type { SandboxSpec } from "./spec.ts";

/** A loopback address inside, high enough for any user, where the boot serves the proxy variables. */
export const PROXY_LISTEN = "127.1.0.1:3128";

/** Variables that Handler sets in a sandbox; the spec's own win over them. None of them is a secret. */
export function plainEnv(
  spec: Pick<SandboxSpec, "env">,
  egress: Pick<EgressSockets, "listens" | "proxy">,
  options: { readonly lowPorts: boolean; readonly extraAuthorities: boolean },
): Record<string, string> {
  return {
    ...commonEnv(),
    ...egressEnv(egress, options.lowPorts),
    ...(egress.proxy ? authorityFileEnv(INSIDE.authorities, options.extraAuthorities) : {}),
    ...spec.env,
  };
}

/** The names of all variables of a sandbox with these of its own. */
export function envNames(own: Readonly<Record<string, string>>, hasEgress: boolean): readonly string[] {
  const sockets = { listens: [], proxy: hasEgress ? "/run" : undefined };
  const options = { lowPorts: false, extraAuthorities: false };
  return Object.keys(plainEnv({ env: own }, sockets, options)).sort();
}

/** What every sandbox has, whatever it runs. */
export function commonEnv(): Record<string, string> {
  return {
    PATH: "/opt/handler/bin:/opt/handler:/usr/local/bin:/usr/bin:/bin",
    HOME: "/tmp",
    TMPDIR: "/tmp",
    LANG: "C.UTF-8",
    DENO_DIR: "/tmp/.deno",
    DENO_NO_UPDATE_CHECK: "1",
    NO_COLOR: "1",
  };
}

function egressEnv(
  egress: Pick<EgressSockets, "listens" | "proxy">,
  lowPorts: boolean,
): Record<string, string> {
  if (!egress.proxy) return {};
  const listens = lowPorts ? egress.listens : egress.listens.filter(({ port }) => port >= 1024);
  return {
    HANDLER_EGRESS: JSON.stringify(listens),
    HANDLER_EGRESS_PROXY: JSON.stringify({ listen: PROXY_LISTEN, socket: egress.proxy }),
    ...proxyVariables(`http://${PROXY_LISTEN}`, [
      "localhost",
      "127.0.0.1",
      "::1",
      ...listens.filter(({ host, listen }) => host === listen || !isAddress(host)).map(({ host }) => host),
    ]),
  };
}

/** An address has no name to be listened on under: it is reached through the proxy. */
function isAddress(host: string): boolean {
  return /^[\d.]+$|:/.test(host);
}

/** The proxy variables in both spellings that programs look for. */
export function proxyVariables(proxy: string, direct: readonly string[]): Record<string, string> {
  const values = { HTTPS_PROXY: proxy, HTTP_PROXY: proxy, NO_PROXY: direct.join(",") };
  const lower = Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...values, ...Object.fromEntries(lower) };
}

/** Names a file of authorities to the programs that look for one; only an extra one need be told to Deno and Node. */
export function authorityFileEnv(file: string, extra: boolean): Record<string, string> {
  return {
    SSL_CERT_FILE: file,
    DENO_TLS_CA_STORE: "system",
    ...(extra ? { DENO_CERT: file, NODE_EXTRA_CA_CERTS: file } : {}),
  };
}

/** The variables that the boot reads, for Deno's permissions. */
export const BOOT_ENV: readonly string[] = ["HANDLER_EGRESS", "HANDLER_EGRESS_PROXY", "HANDLER_SECRETS"];
