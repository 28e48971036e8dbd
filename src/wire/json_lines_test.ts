import assert from "node:assert/strict";
import { BadLine, JsonLines } from "./json_lines.ts";
import type { ByteStream } from "./stream.ts";

const encoder = new TextEncoder();

/** A stream that brings the given chunks and keeps what is written, a few bytes a call where told. */
function stream(chunks: readonly Uint8Array[], most = Infinity): ByteStream & { readonly written: string[] } {
  const left = [...chunks];
  const written: string[] = [];
  return {
    written,
    read(into) {
      const chunk = left.shift();
      if (chunk) into.set(chunk);
      return Promise.resolve(chunk ? chunk.length : null);
    },
    write(bytes) {
      const taken = Math.min(most, bytes.length);
      written.push(new TextDecoder().decode(bytes.subarray(0, taken)));
      return Promise.resolve(taken);
    },
  };
}

async function received(chunks: readonly Uint8Array[], limit = 1000): Promise<unknown[]> {
  const got: unknown[] = [];
  await new JsonLines(stream(chunks), limit, () => {}).receive((value) => void got.push(value));
  return got;
}

Deno.test("values come whole however the bytes are cut", async () => {
  const bytes = encoder.encode('{"a":"zwölf \u2028"}\n\n[1,2]\n"€"\n');
  for (let size = 1; size <= bytes.length; size++) {
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.slice(at, at + size));
    assert.deepEqual(await received(chunks), [{ a: "zwölf \u2028" }, [1, 2], "€"], `chunks of ${size}`);
  }
});

Deno.test("a line past the limit and a line that is no JSON end the reading", async () => {
  await assert.rejects(received([encoder.encode('"' + "x".repeat(200) + '"\n')], 100), BadLine);
  await assert.rejects(received([encoder.encode('"' + "x".repeat(200))], 100), BadLine);
  await assert.rejects(received([encoder.encode("{nothing}\n")]), /is no JSON/);
});

Deno.test("what is sent in one turn goes out in one write, in order", async () => {
  const to = stream([]);
  const lines = new JsonLines(to, 1000, () => {});
  for (let count = 0; count < 5; count++) void Promise.resolve().then(() => lines.send(count));
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(to.written, ["0\n1\n2\n3\n4\n"]);
  assert.equal(lines.backlog, 0);
});

Deno.test("a stream that takes a few bytes at a time gets all of them", async () => {
  const to = stream([], 3);
  const lines = new JsonLines(to, 1000, () => {});
  lines.send({ text: "añb" });
  await lines.flushed();
  assert.equal(to.written.length, 6);
});

Deno.test("a write that fails is told once, and what comes later is dropped", async () => {
  const told: unknown[] = [];
  const to = { ...stream([]), write: () => Promise.reject(new Error("gone")) };
  const lines = new JsonLines(to, 1000, (error) => told.push(error));
  lines.send(1);
  await lines.flushed();
  lines.send(2);
  await lines.flushed();
  assert.equal(told.length, 1);
});
