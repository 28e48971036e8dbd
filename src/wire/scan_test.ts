import assert from "node:assert/strict";
import { utf8, utf8Text } from "../base/mod.ts";
import { countMembers, MAX_DEPTH, type Scan, scanMessage } from "./scan.ts";

function scan(text: string): Scan {
  return scanMessage(utf8(text), text);
}

function part(text: string, name: string, below?: string): string | undefined {
  const span = scan(text).find(name, below);
  return span && utf8Text(utf8(text).subarray(span.start, span.end));
}

Deno.test("members of the first two levels are found as they are written", () => {
  const text =
    '{ "id" : "a,}" ,"params":{"name":"x","arguments": {"b":[1,{"c":"}"}]} ,"_meta":{}}, "z":null }';
  assert.equal(part(text, "id"), '"a,}"');
  assert.equal(part(text, "z"), "null");
  assert.equal(part(text, "params", "arguments"), '{"b":[1,{"c":"}"}]}');
  assert.equal(part(text, "params", "_meta"), "{}");
  assert.equal(scan(text).memberCount, 8);
});

Deno.test("names are compared after their escapes are read", () => {
  assert.equal(part('{"\\u0069d":7}', "id"), "7");
  assert.equal(part('{"a\\"b":{"\\u0063":[1] }}', 'a"b', "c"), "[1]");
});

Deno.test("objects in lists below the top are not taken for members", () => {
  const found = scan('{"result":[{"a":1}],"more":[[{"b":2}]]}');
  assert.equal(found.find("result", "a"), undefined);
  assert.equal(found.find("more", "b"), undefined);
  assert.equal(found.memberCount, 4);
});

Deno.test("long strings and characters of several bytes change no place", () => {
  const text = `{"${"ü".repeat(40)}":"${
    '🦆,\\"}'.repeat(20)
  }","params":{"é":"x","arguments":{"text":"ñ"} } }`;
  assert.equal(part(text, "params", "arguments"), '{"text":"ñ"}');
  const ascii = `{"${"a".repeat(40)}":"${'b,\\"}'.repeat(20)}","params":{"arguments":[] }}`;
  assert.equal(part(ascii, "params", "arguments"), "[]");
  assert.equal(part(ascii, "a".repeat(40)), `"${'b,\\"}'.repeat(20)}"`);
});

Deno.test("backslashes before a quote are counted", () => {
  assert.equal(part('{"a":"\\\\","b":"\\\\\\"","c":1}', "c"), "1");
});

Deno.test("20,000 levels are refused at once, MAX_DEPTH levels are not", () => {
  assert.throws(() => scan("[".repeat(20_000)), /nests more than/);
  assert.doesNotThrow(() => scan("[".repeat(MAX_DEPTH) + "]".repeat(MAX_DEPTH)));
});

Deno.test("names that stand twice are suspected, however they are written; common messages are not", () => {
  for (const text of ['{"a":1,"b":{},"a":2}', '[{"x":{"id":1,"\\u0069d":2}}]', '{"":1,"":2}']) {
    assert.equal(scan(text).mayRepeat, true, text);
  }
  const common = [
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{},"_meta":{}}}',
    '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"id"}],"structuredContent":{"id":1}}}',
    '{"jsonrpc":"2.0","id":1,"result":{"content":[{"a":1},{"a":1}],"isError":true,"_meta":{}}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
  ];
  for (const text of common) assert.equal(scan(text).mayRepeat, false, text);
});

Deno.test("a name that stands twice shows in the counts", () => {
  const text = '{"params":{"arguments":{"n":{"x":1,"x":2}}}}';
  assert.equal(scan(text).memberCount, 5);
  assert.equal(countMembers(JSON.parse(text)), 4);
});

Deno.test("counting members agrees with the scan on __proto__ and numbers as names", () => {
  const text = '{"__proto__":{"a":1},"1":[{"b":[]},{"constructor":2}],"s":"x:y"}';
  assert.equal(countMembers(JSON.parse(text)), scan(text).memberCount);
});
