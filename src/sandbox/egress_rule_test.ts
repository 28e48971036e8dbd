import assert from "node:assert/strict";
import { egressOfUrl, egressText, parseEgress } from "./egress_rule.ts";

for (
  const [text, host, port, namedLocal] of [
    ["api.example.com:443", "api.example.com", 443, false],
    ["*.example.com:443", "*.example.com", 443, false],
    ["xn--bcher-kva.example:8443", "xn--bcher-kva.example", 8443, false],
    ["localhost:8080", "localhost", 8080, true],
    ["host.containers.internal:11434", "host.containers.internal", 11434, true],
    ["printer.local:631", "printer.local", 631, true],
    ["nas:80", "nas", 80, true],
    ["10.0.0.7:80", "10.0.0.7", 80, true],
    ["[::1]:80", "::1", 80, true],
  ] as const
) {
  Deno.test(`egress ${text}`, () => {
    assert.deepEqual(parseEgress(text), { host, port, namedLocal });
    assert.equal(egressText({ host, port }), text);
  });
}

for (
  const text of [
    "",
    "example.com",
    "example.com:",
    "example.com:0",
    "example.com:65536",
    "example.com:443:443",
    "https://example.com:443",
    "Example.com:443",
    "bücher.example:443",
    "*:443",
    "*.com:443",
    "api.*.example.com:443",
    "a*.example.com:443",
    "example.com.:443",
    "-a.example.com:443",
    "127.1:80",
    "2130706433:80",
    "::1:80",
    "[10.0.0.7]:80",
    "exa mple.com:443",
    "user@example.com:443",
  ]
) {
  Deno.test(`egress ${JSON.stringify(text)} is refused`, () => {
    assert.throws(() => parseEgress(text), /egress is host:port .*, found /);
  });
}

Deno.test("a URL's egress has its default port and its address without brackets", () => {
  assert.deepEqual(egressOfUrl(new URL("https://api.example.com/v1")), {
    host: "api.example.com",
    port: 443,
    namedLocal: false,
  });
  assert.deepEqual(egressOfUrl(new URL("http://[::1]:8080/")), { host: "::1", port: 8080, namedLocal: true });
  assert.deepEqual(egressOfUrl(new URL("http://0x7f000001/")), {
    host: "127.0.0.1",
    port: 80,
    namedLocal: true,
  });
});
