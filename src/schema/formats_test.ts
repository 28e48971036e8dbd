import assert from "node:assert/strict";
import { FORMATS } from "./formats.ts";

const CASES: Readonly<Record<string, { readonly good: readonly string[]; readonly bad: readonly string[] }>> =
  {
    "handler-file": { good: ["a.pdf", "/work/a b/é.pdf", "../x"], bad: ["", "a\0b", "x".repeat(5000)] },
    "handler-output-file": { good: ["out/a.wav"], bad: [""] },
    "date": {
      good: ["2024-02-29", "2000-02-29", "0001-01-01"],
      bad: [
        "2023-02-29",
        "1900-02-29",
        "2024-13-01",
        "2024-04-31",
        "2024-4-1",
        "24-01-01",
        "2024-01-01 ",
        "２024-01-01",
      ],
    },
    "time": {
      good: ["12:00:00Z", "23:59:60Z", "00:00:00.5+05:30", "15:59:60-08:00"],
      bad: ["12:00:00", "24:00:00Z", "12:60:00Z", "12:00:60Z", "12:00Z", "12:00:00+24:00"],
    },
    "date-time": {
      good: ["2026-10-02T07:32:00Z", "2026-10-02t07:32:00.123z"],
      bad: ["2026-10-02", "2026-10-02T07:32:00", "2026-10-02T25:00:00Z", "x2026-10-02T07:32:00Z"],
    },
    "email": {
      good: ["ann@example.org", "a.b+c@x-y.example"],
      bad: [
        "ann",
        "@x.example",
        "a@",
        "a b@x.example",
        "a..b@x.example",
        "a@-x.example",
        `${"a".repeat(65)}@x.example`,
      ],
    },
    "hostname": {
      good: ["a", "a-b.example", "1.2.example"],
      bad: ["", "-a", "a-", "a..b", "a_b", "a".repeat(64), "é.example"],
    },
    "ipv4": {
      good: ["127.0.0.1", "255.255.255.255"],
      bad: ["1.2.3", "256.1.1.1", "01.2.3.4", "1.2.3.4.5", "1.2.3.x"],
    },
    "ipv6": {
      good: ["::1", "2001:db8::1", "::ffff:1.2.3.4"],
      bad: ["", ":", ":::", "1::2::3", "g::1", "::1]/x"],
    },
    "uri": {
      good: ["https://a.example/x?y=%20#z", "urn:isbn:1", "mailto:ann@example.org"],
      bad: ["/a", "a.example/x", "http://a b", "http://a/%zz", "http://é.example", "", "http://a#b#c"],
    },
    "uuid": {
      good: ["2eb8aa08-aa98-11ea-b4aa-73b441d16380"],
      bad: ["2eb8aa08aa9811eab4aa73b441d16380", "x"],
    },
  };

for (const [format, check] of Object.entries(FORMATS)) {
  Deno.test(`format ${format}`, () => {
    const cases = CASES[format];
    assert.ok(cases, "every format has cases");
    for (const text of cases.good) assert.ok(check(text), JSON.stringify(text).slice(0, 60));
    for (const text of cases.bad) assert.ok(!check(text), JSON.stringify(text).slice(0, 60));
  });
}

Deno.test("every format answers quickly for long texts made to be slow", () => {
  const long = ["a", ".", "-", "@", "a.", "a-", "1", ":", "0:", "%", "%2", "a@a.", "/", "+"].map((part) =>
    part.repeat(100_000)
  );
  const start = performance.now();
  for (const check of Object.values(FORMATS)) {
    for (const text of long) {
      check(text);
      check(`a:${text}\0`);
      check(`a@${text}!`);
    }
  }
  assert.ok(performance.now() - start < 10_000);
});
