import assert from "node:assert/strict";
import { countMembers, MAX_DEPTH, ScanError, scanMessage } from "./scan.ts";

function part(text: string, level: "top" | "below", name: string): string | undefined {
  const span = scanMessage(text)[level].get(name);
  return span && text.slice(span.start, span.end);
}

Deno.test("members of the first two levels are found as they are written", () => {
  const text =
    '{ "id" : "a,}" ,"params":{"name":"x","arguments": {"b":[1,{"c":"}"}]} ,"_meta":{}}, "z":null }';
  assert.equal(part(text, "top", "id"), '"a,}"');
  assert.equal(part(text, "top", "z"), "null");
  assert.equal(part(text, "below", "params.arguments"), '{"b":[1,{"c":"}"}]}');
  assert.equal(part(text, "below", "params._meta"), "{}");
  assert.equal(scanMessage(text).memberCount, 8);
});

Deno.test("names are compared after their escapes are read", () => {
  assert.equal(part('{"\\u0069d":7}', "top", "id"), "7");
  assert.throws(() => scanMessage('{"id":1,"\\u0069d":2}'), ScanError);
});

Deno.test("objects in lists below the top are not taken for members", () => {
  const scan = scanMessage('{"result":[{"a":1}],"more":[[{"b":2}]]}');
  assert.deepEqual([...scan.below.keys()], []);
  assert.equal(scan.memberCount, 4);
});

Deno.test("backslashes before a quote are counted", () => {
  assert.equal(part('{"a":"\\\\","b":"\\\\\\"","c":1}', "top", "c"), "1");
});

Deno.test("20,000 levels are refused at once, MAX_DEPTH levels are not", () => {
  assert.throws(() => scanMessage("[".repeat(20_000)), /nests more than/);
  assert.doesNotThrow(() => scanMessage("[".repeat(MAX_DEPTH) + "]".repeat(MAX_DEPTH)));
});

Deno.test("a name that stands twice shows in the counts", () => {
  const text = '{"params":{"arguments":{"n":{"x":1,"x":2}}}}';
  assert.equal(scanMessage(text).memberCount, 5);
  assert.equal(countMembers(JSON.parse(text)), 4);
});

Deno.test("counting members agrees with the scan on __proto__ and numbers as names", () => {
  const text = '{"__proto__":{"a":1},"1":[{"b":[]},{"constructor":2}],"s":"x:y"}';
  assert.equal(countMembers(JSON.parse(text)), scanMessage(text).memberCount);
});
