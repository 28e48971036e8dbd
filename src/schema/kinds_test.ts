import assert from "node:assert/strict";
import { decodeToml } from "./decode.ts";
import { convert, type Kind, unshown } from "./kind.ts";
import { exactlyOne, json, list, map, oneOrMore, optional, record, required } from "./kinds_compound.ts";
import { absolutePath, hostPort, interfaceId, relativePath, url } from "./kinds_place.ts";
import {
  boolean,
  envName,
  integer,
  name,
  number,
  oneOf,
  size,
  sizeText,
  slotName,
  text,
} from "./kinds_plain.ts";

function read<T>(kind: Kind<T>, value: string): T | string {
  try {
    return decodeToml(`v = ${value}\n`, { file: "f", kind: undefined, shape: record({ v: required(kind) }) })
      .v;
  } catch (error) {
    return String((error as { problems: readonly Error[] }).problems[0]?.message);
  }
}

const REFUSED = /^must |^unknown key/;

function good<T>(kind: Kind<T>, cases: readonly (readonly [string, unknown])[]): void {
  for (const [value, expected] of cases) assert.deepEqual(read(kind, value), expected, value);
}

function bad(kind: Kind<unknown>, values: readonly string[]): void {
  for (const value of values) assert.match(String(read(kind, value)), REFUSED, value);
}

Deno.test("texts and names", () => {
  good(text(), [['"a"', "a"], ["'日本語'", "日本語"]]);
  bad(text(), ['""', "1", '"a\\u0000"', "true", "[]", "{}", "2026-01-01"]);
  good(text({ empty: true, max: 3 }), [['""', ""], ['"abc"', "abc"]]);
  bad(text({ empty: true, max: 3 }), ['"abcd"']);
  good(name, [['"a-1"', "a-1"]]);
  bad(name, ['"A"', '"1a"', '"a_b"', '"a-"', '"é"', '"a/b"', '".."']);
  good(slotName, [['"api_key"', "api_key"]]);
  bad(slotName, ['"1"', '"a b"', '""']);
  good(envName, [['"_X1"', "_X1"]]);
  bad(envName, ['"1X"', '"A-B"', '"A=B"']);
});

Deno.test("numbers, booleans, words", () => {
  const small = integer({ min: -1, max: 10 });
  good(small, [["-1", -1], ["0x0a", 10], ["1_0", 10]]);
  bad(small, ["11", "1.0", '"1"', "1e1", "inf", "99999999999999999999"]);
  good(number({ min: 0, max: 1 }), [["0.5", 0.5], ["1", 1]]);
  bad(number({ min: 0, max: 1 }), ["nan", "1.1", '"1"']);
  good(boolean, [["true", true], ["false", false]]);
  bad(boolean, ['"true"', "1"]);
  good(oneOf("a", "b"), [['"b"', "b"]]);
  bad(oneOf("a", "b"), ['"c"', '"A"', "1"]);
});

Deno.test("sizes", () => {
  const kind = size({ min: 1024, max: 2 ** 34 });
  good(kind, [['"512m"', 512 * 2 ** 20], ['"1G"', 2 ** 30], ['"64k"', 65536], ["4096", 4096], [
    '"4096"',
    4096,
  ]]);
  bad(kind, ['"512"', '"512mb"', '"0.5g"', '"-1m"', '"17g"', '""', "1.5", '"1 m"']);
  assert.deepEqual([512 * 2 ** 20, 2 ** 30, 1500].map(sizeText), ["512m", "1g", "1500"]);
});

Deno.test("places", () => {
  const path = absolutePath({ home: () => "/home/ann" });
  good(path, [['"/a//b/"', "/a/b"], ['"/"', "/"], ['"~"', "/home/ann"], ['"~/x"', "/home/ann/x"], [
    '"/a b/é"',
    "/a b/é",
  ]]);
  bad(path, ['"a"', '"./a"', '"/a/../b"', '"~b/x"', '""', '"/a\\u0000"']);
  bad(absolutePath(), ['"~/x"']);
  good(relativePath, [['"./a/b.ts"', "a/b.ts"]]);
  bad(relativePath, ['"/a"', '"../a"', '"a/../b"', '"a//b"', '""', '"a\\\\b"']);
  good(interfaceId, [['"ocr/v1"', "ocr/v1"], ['"web-search/v12"', "web-search/v12"]]);
  bad(interfaceId, ['"ocr"', '"ocr/1"', '"ocr/v01"', '"Ocr/v1"', '"a/b/v1"', '"ocr/v1 "']);
  good(hostPort({ wildcard: true }), [['"*.a.example:443"', "*.a.example:443"], ['"[::1]:80"', "[::1]:80"]]);
  bad(hostPort(), [
    '"*.a.example:443"',
    '"a.example"',
    '"a.example:0"',
    '"a..b:1"',
    '"A.example:1"',
    '"[::g]:1"',
    '"a:65536"',
  ]);
  good(url, [['"https://a.example/x?y"', "https://a.example/x?y"]]);
  bad(url, ['"ftp://a"', '"a.example"', '"https://ann:secret@a.example"']);
  assert.doesNotMatch(String(read(url, '"https://ann:secret@a.example"')), /secret/);
});

Deno.test("lists, maps, unions, conversions", () => {
  good(list(name, { min: 1 }), [['["a", "b"]', ["a", "b"]]]);
  bad(list(name, { min: 1, max: 2, unique: true }), ["[]", '["a", "b", "c"]', '["a", "a"]', '["A"]', '"a"']);
  good(oneOrMore(name), [['"a"', ["a"]], ['["a", "b"]', ["a", "b"]]]);
  bad(oneOrMore(name), ["[]", '["a", "a"]', "{}"]);
  good(map(name, integer({ min: 0, max: 9 })), [["{ a = 1 }", { a: 1 }]]);
  bad(map(name, integer({ min: 0, max: 9 })), ["{ A = 1 }", '{ a = "1" }', "[]"]);
  const union = exactlyOne({ file: absolutePath(), env: envName });
  good(union, [['{ env = "A" }', { kind: "env", value: "A" }]]);
  bad(union, ["{}", '{ env = "A", file = "/a" }', '{ other = "A" }', '"A"']);
  good(convert(name, (value) => value.length), [['"abc"', 3]]);
  good(record({ a: optional(name, "x"), b: optional(name) }), [["{}", { a: "x", b: undefined }]]);
});

Deno.test("JSON values", () => {
  good(json, [['{ a = [1, 1.5, true, "x", {}] }', { a: [1, 1.5, true, "x", {}] }]]);
  bad(json, ["2026-01-01", "[inf]", "{ a = nan }", "9007199254740993"]);
});

Deno.test("a kind that must not show its value shows the type alone", () => {
  assert.equal(read(unshown(name), '"My Secret"'), `must be ${name.rule}, found a text`);
  const nested = read(unshown(list(unshown(name))), '["My Secret"]');
  assert.equal(nested, `must be ${name.rule}, found a text`);
});

Deno.test("a key called __proto__ is only itself", () => {
  const taken = read(map(text(), text()), '{ __proto__ = "x" }') as Record<string, string>;
  assert.deepEqual(Object.entries(taken), [["__proto__", "x"]]);
  assert.equal(Object.getPrototypeOf(taken), Object.prototype);
});
