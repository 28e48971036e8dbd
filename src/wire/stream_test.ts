import assert from "node:assert/strict";
import { utf8, utf8Text } from "../base/mod.ts";
import { type ByteStream, FrameWriter, readFrames } from "./stream.ts";

function source(bytes: Uint8Array, most: number): ByteStream {
  let at = 0;
  return {
    read(into) {
      if (at >= bytes.length) return Promise.resolve(null);
      const piece = bytes.subarray(at, at + Math.min(most, into.length));
      into.set(piece);
      at += piece.length;
      return Promise.resolve(piece.length);
    },
    write: () => Promise.reject(new Error("read only")),
  };
}

Deno.test("a message of megabytes comes through whole, small ones before and after it too", async () => {
  const long = "x".repeat(3_000_000);
  const seen: string[] = [];
  const rest = await readFrames(source(utf8(`a\n${long}\nb\ntail`), 70_000), 4_000_000, (frames) => {
    seen.push(...frames.map(utf8Text));
  });
  assert.deepEqual(seen.map((text) => text.length), [1, 3_000_000, 1]);
  assert.equal(utf8Text(rest!), "tail");
});

Deno.test("texts keep their order over partial writes, and a broken stream is told once", async () => {
  const written: string[] = [];
  let left = 10, broken = 0;
  const writer = new FrameWriter({
    read: () => Promise.resolve(null),
    write(bytes) {
      if (left-- === 0) return Promise.reject(new Error("gone"));
      const piece = bytes.subarray(0, 3);
      written.push(utf8Text(piece));
      return Promise.resolve(piece.length);
    },
  }, () => broken++);
  for (const text of ["one\n", "two\n", "three\n"]) writer.send(text);
  await writer.flushed();
  assert.equal(written.join(""), "one\ntwo\nthree\n");
  for (let i = 0; i < 20; i++) writer.send("more\n");
  await writer.flushed();
  writer.send("after\n");
  assert.equal(broken, 1);
  assert.equal(writer.backlog, 0);
});
