import assert from "node:assert/strict";
import type { RawHeader } from "../../platform/mod.ts";
import { originOf } from "./host.ts";

const PORT = 7430;

/** Host headers by what they are read as; undefined for nobody's. */
const TABLE: readonly (readonly [string | readonly string[], string | undefined])[] = [
  ["notes.localhost:7430", "notes"],
  ["my-notes-2.localhost:7430", "my-notes-2"],
  ["localhost:7430", "desk"],
  ["127.0.0.1:7430", "loopback"],
  ["LOCALHOST:7430", undefined],
  ["localhost.:7430", undefined],
  ["localhost:7430.", undefined],
  ["localhost:7430/", undefined],
  ["localhost:7431", undefined],
  ["localhost:80", undefined],
  ["owner@localhost:7430", undefined],
  ["localhost:7430, localhost:7430", undefined],
  ["127.0.0.1", undefined],
  ["127.1:7430", undefined],
  ["127.0.0.2:7430", undefined],
  ["[::1]:7430", undefined],
  ["[::ffff:127.0.0.1]:7430", undefined],
  [["localhost:7430", "localhost:7430"], undefined],
  [["localhost:7430", "evil.example"], undefined],
  ["localhost", undefined],
  ["notes.localhost", undefined],
  ["notes.localhost:7431", undefined],
  ["notes.localhost:07430", undefined],
  ["notes.localhost:", undefined],
  ["notes.localhost:7430:7430", undefined],
  ["NOTES.localhost:7430", undefined],
  ["notes.LOCALHOST:7430", undefined],
  ["notes.localhost.:7430", undefined],
  ["notes..localhost:7430", undefined],
  [".localhost:7430", undefined],
  ["a.notes.localhost:7430", undefined],
  ["notes.localhost.evil.example:7430", undefined],
  ["notes.evil.example:7430", undefined],
  ["noteslocalhost:7430", undefined],
  ["evil.example:7430", undefined],
  ["ann@notes.localhost:7430", undefined],
  ["notes.localhost:7430@evil.example", undefined],
  ["http://notes.localhost:7430", undefined],
  ["notes.localhost:7430/", undefined],
  ["notes.localhost:7430, other.localhost:7430", undefined],
  ["notes.localhost:7430 ", undefined],
  [" notes.localhost:7430", undefined],
  ["notes%2elocalhost:7430", undefined],
  ["nötes.localhost:7430", undefined],
  ["-notes.localhost:7430", undefined],
  ["notes-.localhost:7430", undefined],
  ["no_tes.localhost:7430", undefined],
  ["0.0.0.0:7430", undefined],
  ["127.0.0.1.:7430", undefined],
  ["2130706433:7430", undefined],
  ["", undefined],
  [[], undefined],
  [["notes.localhost:7430", "notes.localhost:7430"], undefined],
  [["notes.localhost:7430", "other.localhost:7430"], undefined],
];

for (const [hosts, expected] of TABLE) {
  const given = typeof hosts === "string" ? [hosts] : hosts;
  Deno.test(`the host ${JSON.stringify(hosts)} is ${expected ? `for ${expected}` : "nobody's"}`, () => {
    const headers = given.map((host, at): RawHeader => [at % 2 === 0 ? "Host" : "hOST", host]);
    const origin = originOf(headers, "/", PORT);
    assert.equal(origin?.kind === "app" ? origin.name : origin?.kind, expected);
  });
}

Deno.test("a request line that names a URL is nobody's, the same one too", () => {
  const headers: RawHeader[] = [["host", "notes.localhost:7430"]];
  for (
    const target of ["http://notes.localhost:7430/", "http://other.localhost:7430/", "*", "", "notes/", "?x"]
  ) {
    assert.equal(originOf(headers, target, PORT), undefined, target);
  }
});
