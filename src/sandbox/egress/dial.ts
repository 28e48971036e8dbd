import { errorText, HandlerError, within } from "../../base/mod.ts";
import type { Connection } from "../../platform/mod.ts";
import type { EgressRule } from "../spec.ts";
import { type AddressClass, classifyAddress, parseAddress } from "./address.ts";

/** What dialling needs from the machine; a test gives its own. */
export interface DialPorts {
  /** Every address of a name. */
  resolve(host: string): Promise<readonly string[]>;
  /** Connects to an address; nothing is looked up any more. */
  connect(address: string, port: number): Promise<Connection>;
  /** Where a `host:port` is really dialled, by the person's word (`config.egress.dial`). */
  readonly overrides: Readonly<Record<string, string>>;
}

/** An open connection to the outside and the address it leads to. */
export interface Dialled {
  readonly connection: Connection;
  readonly address: string;
}

const CONNECT_MS = 15_000;
const LOCAL: readonly AddressClass[] = ["loopback", "private", "link-local", "carrier-grade NAT"];
/** Names by which container engines call the host; no name server knows them. */
const HOST_NAMES = ["host.containers.internal", "host.docker.internal"];

/**
 * Resolves a host, refuses addresses that nobody named, and connects to one that was checked (contract A.3).
 *
 * @throws {HandlerError} `denied` when every address is refused; `unavailable` when none answers or the name is unknown.
 */
export async function dial(rule: EgressRule, ports: DialPorts): Promise<Dialled> {
  const override = ports.overrides[`${rule.host}:${rule.port}`];
  if (override !== undefined) return await dialOverride(override, ports);
  const addresses = await resolve(rule.host, ports);
  const verdicts = addresses.map((address) => ({ address, refused: refusal(address, rule) }));
  const allowed = verdicts.filter(({ refused }) => refused === undefined).map(({ address }) => address);
  if (allowed.length === 0) throw denied(rule, verdicts);
  return await connectFirst(allowed, rule.port, ports);
}

/** Why an address may not be dialled for a rule; undefined when it may. */
export function refusal(address: string, rule: EgressRule): AddressClass | undefined {
  const kind = classifyAddress(address);
  if (kind === "public") return undefined;
  if (rule.namedLocal && LOCAL.includes(kind)) return undefined;
  if (rule.namedLocal && kind === "metadata" && rule.host === address) return undefined;
  return kind;
}

async function resolve(host: string, ports: DialPorts): Promise<readonly string[]> {
  if (parseAddress(host)) return [host];
  if (HOST_NAMES.includes(host)) return ["127.0.0.1"];
  try {
    return await within(CONNECT_MS, `looking up ${host}`, ports.resolve(host));
  } catch (error) {
    throw new HandlerError("unavailable", `the name ${host} could not be resolved: ${errorText(error)}`);
  }
}

async function dialOverride(target: string, ports: DialPorts): Promise<Dialled> {
  const [host, port] = splitHostPort(target);
  return await connectFirst(await resolve(host, ports), port, ports);
}

async function connectFirst(
  addresses: readonly string[],
  port: number,
  ports: DialPorts,
): Promise<Dialled> {
  let last: unknown;
  for (const address of addresses) {
    try {
      return { connection: await connectInTime(address, port, ports), address };
    } catch (error) {
      last = error;
    }
  }
  throw new HandlerError(
    "unavailable",
    `no connection to ${addresses.join(", ")} port ${port}: ${errorText(last)}`,
  );
}

async function connectInTime(address: string, port: number, ports: DialPorts): Promise<Connection> {
  const opening = ports.connect(address, port);
  try {
    return await within(CONNECT_MS, `connecting to ${address}`, opening);
  } catch (error) {
    opening.then((late) => late.close(), () => {});
    throw error;
  }
}

function denied(
  rule: EgressRule,
  verdicts: readonly { address: string; refused: AddressClass | undefined }[],
): HandlerError {
  const found = verdicts.map(({ address, refused }) => `${address} (${refused})`).join(", ") || "no address";
  return new HandlerError("denied", `${rule.host}:${rule.port} was not dialled: it leads to ${found}`, {
    hint: "a local address is dialled only where the manifest or binding names it literally",
  });
}

/** Splits `host:port` or `[v6]:port`. */
export function splitHostPort(text: string): [host: string, port: number] {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]/@]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (!match || port < 1 || port > 65535) {
    throw new HandlerError("invalid", `a destination is written host:port, found ${JSON.stringify(text)}`);
  }
  return [normalHost(match[1] ?? match[2]!), port];
}

/** A host in the one spelling that rules are compared in: lower case, no dot at the end, no brackets. */
export function normalHost(host: string): string {
  return host.toLowerCase().replace(/^\[|\]$/g, "").replace(/\.$/, "");
}
