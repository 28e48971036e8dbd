import {
  type Connection,
  ensureFolder,
  listenUnix,
  removeAll,
  type UnixListener,
} from "../../platform/mod.ts";
import type { EgressRule } from "../spec.ts";
import { EgressGate, type GatePorts } from "./gate.ts";
import { serveProxy } from "./proxy.ts";
import { isWildcard, normalRules } from "./rules.ts";

/** One destination as the sandbox's boot is told of it, in `HANDLER_EGRESS`. */
export interface EgressListen {
  readonly host: string;
  readonly port: number;
  /** The loopback address inside that stands for the host. */
  readonly listen: string;
  /** The socket inside that leads to handlerd. */
  readonly socket: string;
}

/** The egress of one running sandbox. */
export interface EgressSockets {
  /** One entry a destination without wildcard. */
  readonly listens: readonly EgressListen[];
  /** The proxy's socket inside; undefined where the sandbox may reach nothing. */
  readonly proxy: string | undefined;
  close(): Promise<void>;
}

/** Where the sockets are seen inside. */
export const EGRESS_INSIDE = "/run/handler-egress";

/**
 * What the sandbox is told about its egress, without opening anything. Each host has one address, `127.1.0.2` first; a
 * loopback address stands for itself, and so does `localhost`, which every program knows without asking.
 */
export function planEgress(rules: readonly EgressRule[]): Pick<EgressSockets, "listens" | "proxy"> {
  const exact = normalRules(rules).filter((rule) => !isWildcard(rule));
  const hosts = [...new Set(exact.map((rule) => rule.host))];
  const address = (host: string) => {
    if (host === "localhost") return "127.0.0.1";
    if (/^127(?:\.\d+){3}$/.test(host)) return host;
    const n = hosts.indexOf(host) + 2;
    return `127.1.${n >> 8}.${n & 255}`;
  };
  const listens = exact.map(({ host, port }, n) => ({
    host,
    port,
    listen: address(host),
    socket: `${EGRESS_INSIDE}/${n}`,
  }));
  return {
    listens: [...new Map(listens.map((one) => [`${one.listen}:${one.port}`, one])).values()],
    proxy: rules.length > 0 ? `${EGRESS_INSIDE}/proxy` : undefined,
  };
}

/** Opens the sockets of a sandbox in `folder` on the host: one for each destination, and one for the proxy. */
export async function openEgress(
  options: {
    readonly sandbox: string;
    readonly folder: string;
    readonly rules: readonly EgressRule[];
    readonly ports: GatePorts;
  },
): Promise<EgressSockets> {
  const { sandbox, folder, ports } = options;
  const rules = normalRules(options.rules);
  const plan = planEgress(rules);
  const gate = new EgressGate(sandbox, ports);
  await ensureFolder(folder);
  const listeners: UnixListener[] = [];
  const open = async (name: string, serve: (near: Connection) => Promise<void>) => {
    const listener = await listenUnix(`${folder}/${name}`);
    listeners.push(listener);
    void gate.serveAll(listener, serve);
  };
  const close = async () => {
    for (const listener of listeners.splice(0)) listener.close();
    gate.close();
    await removeAll(folder);
  };
  try {
    const exact = rules.filter((rule) => !isWildcard(rule));
    for (const [n, rule] of exact.entries()) await open(String(n), (near) => gate.connect(near, rule));
    if (plan.proxy) await open("proxy", (near) => serveProxy(near, rules, gate));
  } catch (error) {
    await close();
    throw error;
  }
  return { ...plan, close };
}
