/** What kind of network an address belongs to; only `public` is dialled without being named. */
export type AddressClass =
  | "public"
  | "loopback"
  | "private"
  | "link-local"
  | "carrier-grade NAT"
  | "metadata"
  | "multicast"
  | "unspecified"
  | "reserved"
  | "not an address";

type Range = readonly [prefix: string, bits: number, kind: AddressClass];

/** RFC 6890 and the address tables of the large clouds; the first match counts. */
const IPV4: readonly Range[] = [
  ["169.254.169.254", 32, "metadata"], // AWS, Google, Azure, OpenStack
  ["169.254.170.2", 32, "metadata"], // AWS task credentials
  ["169.254.170.23", 32, "metadata"], // AWS pod identity
  ["100.100.100.200", 32, "metadata"], // Alibaba
  ["168.63.129.16", 32, "metadata"], // Azure's wire server
  ["192.0.0.192", 32, "metadata"], // Oracle
  ["0.0.0.0", 8, "unspecified"],
  ["10.0.0.0", 8, "private"],
  ["100.64.0.0", 10, "carrier-grade NAT"],
  ["127.0.0.0", 8, "loopback"],
  ["169.254.0.0", 16, "link-local"],
  ["172.16.0.0", 12, "private"],
  ["192.0.0.0", 24, "reserved"],
  ["192.0.2.0", 24, "reserved"],
  ["192.88.99.0", 24, "reserved"],
  ["192.168.0.0", 16, "private"],
  ["198.18.0.0", 15, "reserved"],
  ["198.51.100.0", 24, "reserved"],
  ["203.0.113.0", 24, "reserved"],
  ["224.0.0.0", 4, "multicast"],
  ["240.0.0.0", 4, "reserved"],
];

const IPV6: readonly Range[] = [
  ["fd00:ec2::254", 128, "metadata"], // AWS
  ["fd00:ec2::23", 128, "metadata"],
  ["fd20:ce::254", 128, "metadata"], // Google
  ["::", 128, "unspecified"],
  ["::1", 128, "loopback"],
  ["64:ff9b:1::", 48, "private"],
  ["100::", 64, "reserved"],
  ["2001::", 23, "reserved"],
  ["2001:db8::", 32, "reserved"],
  ["3fff::", 20, "reserved"],
  ["fc00::", 7, "private"],
  ["fe80::", 10, "link-local"],
  ["fec0::", 10, "private"],
  ["ff00::", 8, "multicast"],
  ["2000::", 3, "public"],
  ["::", 0, "reserved"],
];

/** Prefixes in whose addresses an IPv4 address is hidden that is really reached, and where its bytes begin. */
const EMBEDDED: readonly (readonly [prefix: string, bits: number, at: number])[] = [
  ["::ffff:0:0", 96, 12], // IPv4-mapped
  ["::ffff:0:0:0", 96, 12], // IPv4-translated
  ["64:ff9b::", 96, 12], // NAT64
  ["2002::", 16, 2], // 6to4
  ["::", 96, 12], // IPv4-compatible
];

/** Says what kind of address a text is; a zone (`fe80::1%eth0`) or an odd spelling is `not an address`. */
export function classifyAddress(text: string): AddressClass {
  const bytes = parseAddress(text);
  if (!bytes) return "not an address";
  if (bytes.length === 4) return match(IPV4, bytes) ?? "public";
  return classifyIpv6(bytes);
}

function classifyIpv6(bytes: Uint8Array): AddressClass {
  const own = match(IPV6.slice(0, 5), bytes);
  if (own) return own;
  for (const [prefix, bits, at] of EMBEDDED) {
    if (within(bytes, prefix, bits)) return match(IPV4, bytes.subarray(at, at + 4)) ?? "public";
  }
  return match(IPV6, bytes) ?? "reserved";
}

function match(ranges: readonly Range[], bytes: Uint8Array): AddressClass | undefined {
  return ranges.find(([prefix, bits]) => within(bytes, prefix, bits))?.[2];
}

function within(bytes: Uint8Array, prefix: string, bits: number): boolean {
  const start = parseAddress(prefix)!;
  for (let bit = 0; bit < bits; bit++) {
    const mask = 0x80 >> (bit & 7);
    if (((bytes[bit >> 3]! ^ start[bit >> 3]!) & mask) !== 0) return false;
  }
  return true;
}

/** The 4 or 16 bytes of an address in its usual spelling; undefined for anything else. */
export function parseAddress(text: string): Uint8Array | undefined {
  return text.includes(":") ? parseIpv6(text) : parseIpv4(text);
}

function parseIpv4(text: string): Uint8Array | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return undefined;
  }
  return Uint8Array.from(parts, Number);
}

function parseIpv6(text: string): Uint8Array | undefined {
  const halves = dottedTailAsGroups(text)?.split("::");
  if (!halves || halves.length > 2) return undefined;
  const [head, tail] = halves.map((half) => half === "" ? [] : half.split(":"));
  const missing = 8 - (head?.length ?? 0) - (tail?.length ?? 0);
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head!, ...Array(halves.length === 2 ? missing : 0).fill("0"), ...(tail ?? [])];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return Uint8Array.from(groups.flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]));
}

/** Turns `::ffff:10.0.0.1` into `::ffff:a00:1`. */
function dottedTailAsGroups(text: string): string | undefined {
  if (!text.includes(".")) return text;
  const at = text.lastIndexOf(":") + 1;
  const bytes = parseIpv4(text.slice(at));
  if (!bytes) return undefined;
  const group = (high: number) => ((bytes[high]! << 8) | bytes[high + 1]!).toString(16);
  return `${text.slice(0, at)}${group(0)}:${group(2)}`;
}
