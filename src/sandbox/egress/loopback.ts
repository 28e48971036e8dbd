import { hex } from "../../base/mod.ts";
import { listenLoopback } from "../../platform/mod.ts";
import type { EgressRule } from "../spec.ts";
import { EgressGate, type GatePorts } from "./gate.ts";
import { serveProxy } from "./proxy.ts";
import { normalRules } from "./rules.ts";

/** A proxy on the host's loopback for one sandbox that shares the host's network. */
export interface LoopbackProxy {
  readonly port: number;
  readonly credential: string;
  /** The proxy's URL with the sandbox's own credential in it. */
  readonly url: string;
  close(): void;
}

/** Opens a proxy that serves only who shows the credential. A `port` of 0 takes a free one. */
export function openLoopbackProxy(
  options: {
    readonly sandbox: string;
    readonly rules: readonly EgressRule[];
    readonly ports: GatePorts;
    readonly port: number;
    readonly credential: string;
  },
): LoopbackProxy {
  const { sandbox, ports, credential } = options;
  const rules = normalRules(options.rules);
  const gate = new EgressGate(sandbox, ports);
  const listener = listenLoopback(options.port);
  void gate.serveAll(listener, (near) => serveProxy(near, rules, gate, credential));
  const { port } = listener.addr;
  return {
    port,
    credential,
    url: `http://sandbox:${credential}@127.0.0.1:${port}`,
    close() {
      listener.close();
      gate.close();
    },
  };
}

/** A credential that nobody guesses. */
export function newCredential(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}
