import assert from "node:assert/strict";
import { TestClock, utf8 } from "../base/mod.ts";
import { redactingStream } from "./redacting_stream.ts";
import { Redactor } from "./redactor.ts";

const KEY = 'k3y/"with+ödd bytes';

function knowing(values: Readonly<Record<string, string>>, clock = new TestClock()): Redactor {
  const redactor = new Redactor(clock);
  for (const [slot, value] of Object.entries(values)) redactor.hold(value, slot);
  return redactor;
}

Deno.test("a value is replaced wherever it stands", () => {
  const redactor = knowing({ api_key: "hunter2-hunter2" });
  assert.equal(
    redactor.redact("a hunter2-hunter2 b hunter2-hunter2"),
    "a [secret:api_key] b [secret:api_key]",
  );
  assert.equal(redactor.redact("nothing here"), "nothing here");
  assert.equal(redactor.redact("hunter2-hunter2"), "[secret:api_key]");
});

Deno.test("a value named ** or made of signs is no pattern", () => {
  const redactor = knowing({ "**": ".*.*" });
  assert.equal(
    redactor.redact("everything else stays, .*.* goes"),
    "everything else stays, [secret:**] goes",
  );
});

Deno.test("JSON, URL, form and base64 spellings are known", () => {
  const redactor = knowing({ key: KEY });
  const texts = [
    JSON.stringify({ a: KEY }),
    JSON.stringify(KEY).replaceAll("/", "\\/"),
    `https://x.example/?k=${encodeURIComponent(KEY)}`,
    encodeURIComponent(KEY).toLowerCase(),
    `k=${new URLSearchParams({ k: KEY }).toString()}`,
    encodeURI(KEY),
  ];
  for (const text of texts) {
    const clean = redactor.redact(text);
    assert.match(clean, /\[secret:key\]/, text);
    assert.doesNotMatch(clean, /k3y|dd.?bytes/i, text);
  }
});

Deno.test("base64 is found alone and inside a longer text, at every place", () => {
  const value = "Tr0ub4dor&3-staple";
  const redactor = knowing({ key: value });
  for (const before of ["", "u", "us", "user:", "user5:"]) {
    const coded = btoa(before + value + ":tail");
    const clean = redactor.redact(`Authorization: Basic ${coded}`);
    assert.match(clean, /\[secret:key\]/, before);
    const left = clean.replace("Authorization: Basic ", "").split("[secret:key]");
    assert.ok(left.every((part) => part.length <= 10), `${before}: ${clean}`);
  }
  assert.match(redactor.redact(btoa(value).replaceAll("+", "-").replaceAll("/", "_")), /^\[secret:key\]=*$/);
});

Deno.test("values that overlap leave nothing of either", () => {
  const redactor = knowing({ one: "abcdefgh", two: "fghijklm", three: "abcd" });
  assert.equal(redactor.redact("xabcdefghijklmx abcd"), "x[secret:one]x [secret:three]");
});

Deno.test("each line of a key is known, its markers are not", () => {
  const line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC";
  const redactor = knowing({ key: `-----BEGIN PRIVATE KEY-----\n${line}\nshort\n-----END PRIVATE KEY-----` });
  assert.equal(redactor.redact(`> ${line}`), "> [secret:key]");
  assert.equal(redactor.redact("-----BEGIN PRIVATE KEY-----"), "-----BEGIN PRIVATE KEY-----");
});

Deno.test("a value is known while somebody holds it and a minute longer", () => {
  const clock = new TestClock();
  const redactor = new Redactor(clock);
  const first = redactor.hold("hunter2", "a");
  const second = redactor.hold("hunter2", "a");
  first();
  first();
  clock.tick(3_600_000);
  assert.equal(redactor.redact("hunter2"), "[secret:a]");
  second();
  clock.tick(59_000);
  assert.equal(redactor.redact("hunter2"), "[secret:a]");
  clock.tick(2_000);
  assert.equal(redactor.redact("hunter2"), "hunter2");
});

Deno.test("a value of under four characters is left alone: replacing it would spoil logs and show it by its places", () => {
  assert.equal(knowing({ pin: "123" }).redact("exit code 123"), "exit code 123");
});

Deno.test("however a stream is cut, it reads as if it were whole", () => {
  const redactor = knowing({ one: "abcdefgh", two: "fghijklm", rep: "zzzz", key: KEY, "ü": "grün-ünd-gelb" });
  const text = `start abcdefghijklm, abcdef, ${"z".repeat(31)}zz end grün-ünd-gelb grün-ü ${
    JSON.stringify(KEY)
  } abcdefg`;
  const bytes = utf8(text);
  for (let size = 1; size < bytes.length; size++) {
    const stream = redactingStream(redactor);
    let clean = "";
    for (let at = 0; at < bytes.length; at += size) clean += stream.push(bytes.subarray(at, at + size));
    assert.equal(clean + stream.end(), redactor.redact(text), `pieces of ${size}`);
  }
});

Deno.test("a stream holds back only what may become a value", () => {
  const stream = redactingStream(knowing({ key: "abcdefgh" }));
  assert.equal(stream.push(utf8("prompt> ")), "prompt> ");
  assert.equal(stream.push(utf8("say abcd")), "say ");
  assert.equal(stream.push(utf8("x")), "abcdx");
});

Deno.test("a stream that repeats a value for ever holds back no more than its length", () => {
  const stream = redactingStream(knowing({ key: "zzzz" }));
  const clean = Array.from({ length: 1000 }, () => stream.push(utf8("zzzzzzzzzz"))).join("") + stream.end();
  assert.equal(clean, "[secret:key]");
});
