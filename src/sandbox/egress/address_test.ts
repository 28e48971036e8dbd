import assert from "node:assert/strict";
import { classifyAddress, parseAddress } from "./address.ts";

const CASES: Record<string, readonly string[]> = {
  public: [
    "1.1.1.1",
    "93.184.216.34",
    "172.15.0.1",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700::1111",
    "::ffff:8.8.8.8",
  ],
  loopback: ["127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "64:ff9b::7f00:1"],
  private: [
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "fd12::1",
    "fec0::1",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
    "2002:c0a8:101::1",
    "64:ff9b:1::1",
  ],
  "link-local": ["169.254.1.1", "fe80::1"],
  "carrier-grade NAT": ["100.64.0.1", "100.127.255.255"],
  metadata: [
    "169.254.169.254",
    "fd00:ec2::254",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "100.100.100.200",
    "168.63.129.16",
  ],
  multicast: ["224.0.0.1", "239.1.1.1", "ff02::1"],
  unspecified: ["0.0.0.0", "0.1.2.3", "::", "::ffff:0.0.0.0"],
  reserved: [
    "240.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "198.18.0.1",
    "2001:db8::1",
    "2001::1",
    "4000::1",
    "100::1",
  ],
  "not an address": [
    "",
    "localhost",
    "127.1",
    "0x7f.0.0.1",
    "2130706433",
    "01.2.3.4",
    "256.1.1.1",
    "fe80::1%eth0",
    "1::2::3",
    ":::",
    "12345::",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "::1.2.3",
  ],
};

Deno.test("every class of address is told apart, hidden IPv4 addresses included", () => {
  for (const [kind, addresses] of Object.entries(CASES)) {
    for (const address of addresses) assert.equal(classifyAddress(address), kind, address);
  }
});

Deno.test("addresses are read in their usual spellings", () => {
  assert.deepEqual(parseAddress("1.2.3.4"), Uint8Array.of(1, 2, 3, 4));
  assert.deepEqual(parseAddress("1::"), Uint8Array.of(0, 1, ...Array(14).fill(0)));
  assert.deepEqual(parseAddress("::FFFF:1.2.3.4"), Uint8Array.of(...Array(10).fill(0), 255, 255, 1, 2, 3, 4));
});
