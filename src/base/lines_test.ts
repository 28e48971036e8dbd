import assert from "node:assert/strict";
import { utf8 } from "./bytes.ts";
import { linesOf } from "./lines.ts";

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(utf8(text));
}

Deno.test("lines come whole, however the bytes come", async () => {
  const [first, second] = [utf8("é\n").subarray(0, 1), utf8("é\n").subarray(1)];
  async function* split(): AsyncGenerator<Uint8Array> {
    for (const part of [utf8("a\n\nb"), first, second, utf8("rest")]) yield await Promise.resolve(part);
  }
  assert.deepEqual(await Array.fromAsync(linesOf(split())), ["a", "", "bé"]);
  assert.deepEqual(await Array.fromAsync(linesOf(pieces())), []);
});

Deno.test("a line without an end is not kept without an end", async () => {
  await assert.rejects(Array.fromAsync(linesOf(pieces("aaaa", "aaaa"), 6)), { kind: "usage" });
});

Deno.test("a reader that leaves ends the source", async () => {
  let left = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      while (true) yield await Promise.resolve(utf8("x\n"));
    } finally {
      left = true;
    }
  }
  for await (const line of linesOf(source())) {
    assert.equal(line, "x");
    break;
  }
  assert.ok(left);
});
