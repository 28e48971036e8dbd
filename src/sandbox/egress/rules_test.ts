import assert from "node:assert/strict";
import { admits, normalRules } from "./rules.ts";

const rules = normalRules([
  { host: "API.example.com.", port: 443, namedLocal: false },
  { host: "api.example.com", port: 443, namedLocal: true },
  { host: "*.example.org", port: 443, namedLocal: true },
]);

Deno.test("rules are compared in one spelling, and the same destination counts once", () => {
  assert.deepEqual(rules.map(({ host, namedLocal }) => [host, namedLocal]), [
    ["api.example.com", true],
    ["*.example.org", true],
  ]);
});

Deno.test("an exact rule admits its host and port alone", () => {
  assert.equal(admits(rules, "api.EXAMPLE.com", 443)?.host, "api.example.com");
  for (const host of ["example.com", "x.api.example.com", "api.example.com.evil"]) {
    assert.equal(admits(rules, host, 443), undefined, host);
  }
  assert.equal(admits(rules, "api.example.com", 80), undefined);
});

Deno.test("a wildcard admits what is below it, and never as a local name", () => {
  assert.deepEqual(admits(rules, "a.b.example.org", 443), {
    host: "a.b.example.org",
    port: 443,
    namedLocal: false,
  });
  for (
    const host of [
      "example.org",
      "evilexample.org",
      "x.example.org.evil",
      "x/.example.org",
      "*.example.org:1",
    ]
  ) {
    assert.equal(admits(rules, host, 443), undefined, host);
  }
});
