import assert from "node:assert/strict";
import { utf8, utf8Text } from "../base/mod.ts";
import { FrameSplitter, FrameTooLong, OWN_MEMORY_FROM } from "./frames.ts";

/** Puts a chunk through the splitter as reads of a stream would. */
function push(splitter: FrameSplitter, chunk: Uint8Array): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let at = 0; at < chunk.length;) {
    const space = splitter.space();
    const piece = chunk.subarray(at, at + space.length);
    space.set(piece);
    frames.push(...splitter.filled(piece.length).map((frame) => frame.slice()));
    at += piece.length;
  }
  return frames;
}

function frames(chunks: readonly (string | Uint8Array)[], limit = 1000): string[] {
  const splitter = new FrameSplitter(limit);
  return chunks.flatMap((chunk) => push(splitter, typeof chunk === "string" ? utf8(chunk) : chunk)).map(
    utf8Text,
  );
}

Deno.test("two messages in one chunk are two frames", () => {
  assert.deepEqual(frames(['{"a":1}\n{"b":2}\n']), ['{"a":1}', '{"b":2}']);
});

Deno.test("U+2028, NEL and a lone carriage return do not end a frame", () => {
  const text = '{"t":"a\u2028b\u0085c\rd"}';
  assert.deepEqual(frames([text + "\n"]), [text]);
});

Deno.test("an emoji split over chunks stays whole at every place of the cut", () => {
  const bytes = utf8('{"t":"🦆"}\n');
  for (let cut = 1; cut < bytes.length; cut++) {
    assert.deepEqual(frames([bytes.subarray(0, cut), bytes.subarray(cut)]), ['{"t":"🦆"}']);
  }
});

Deno.test("long frames do not share memory with what is read later", () => {
  const splitter = new FrameSplitter(OWN_MEMORY_FROM * 2);
  const given: Uint8Array[] = [];
  const bytes = utf8(`${"x".repeat(OWN_MEMORY_FROM)}\nsecond\n${"y".repeat(OWN_MEMORY_FROM)}\n`);
  for (let at = 0; at < bytes.length;) {
    const space = splitter.space();
    const piece = bytes.subarray(at, at + space.length);
    space.fill(0x5a).set(piece);
    given.push(...splitter.filled(piece.length));
    at += piece.length;
  }
  splitter.space().fill(0x5a);
  assert.equal(utf8Text(given[0]!), "x".repeat(OWN_MEMORY_FROM));
  assert.equal(utf8Text(given[2]!), "y".repeat(OWN_MEMORY_FROM));
});

Deno.test("the lines of a read are given as they came, empty ones too, what follows them not", () => {
  const splitter = new FrameSplitter(100);
  push(splitter, utf8("be"));
  assert.equal(splitter.lines().length, 0);
  push(splitter, utf8("gun\n\r\n\nnext\nopen"));
  assert.equal(utf8Text(splitter.lines()), "begun\n\r\n\nnext\n");
  push(splitter, utf8("ed\n"));
  assert.equal(utf8Text(splitter.lines()), "opened\n");
});

Deno.test("empty lines are dropped and a last line without newline is kept apart", () => {
  const splitter = new FrameSplitter(100);
  assert.deepEqual(push(splitter, utf8("\n\na\n\nb")).map(utf8Text), ["a"]);
  assert.equal(utf8Text(splitter.rest()!), "b");
  assert.equal(splitter.rest(), undefined);
});

Deno.test("a flood without newline is refused at the limit, however it is cut", () => {
  for (const size of [1, 7, 64, 200]) {
    const splitter = new FrameSplitter(100);
    assert.throws(() => {
      for (let sent = 0; sent < 200; sent += size) push(splitter, new Uint8Array(size).fill(0x41));
    }, FrameTooLong);
  }
  assert.equal(frames(["x".repeat(100) + "\n"], 100)[0]?.length, 100);
});
