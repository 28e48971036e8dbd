import assert from "node:assert/strict";
import { utf8, utf8Text } from "../base/mod.ts";
import { COPIED_FROM, FrameSplitter, FrameTooLong } from "./frames.ts";

function frames(chunks: readonly (string | Uint8Array)[], limit = 1000): string[] {
  const splitter = new FrameSplitter(limit);
  return chunks.flatMap((chunk) => splitter.push(typeof chunk === "string" ? utf8(chunk) : chunk)).map(
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

Deno.test("long frames and those of several chunks do not share memory with a buffer that is used again", () => {
  const splitter = new FrameSplitter(COPIED_FROM * 2);
  const buffer = utf8("x".repeat(COPIED_FROM) + "\nsec");
  const [first] = splitter.push(buffer);
  buffer.fill(0x59);
  assert.equal(utf8Text(first!), "x".repeat(COPIED_FROM));
  assert.deepEqual(splitter.push(utf8("ond\n")).map(utf8Text), ["second"]);
});

Deno.test("empty lines are dropped and a last line without newline is kept apart", () => {
  const splitter = new FrameSplitter(100);
  assert.deepEqual(splitter.push(utf8("\n\na\n\nb")).map(utf8Text), ["a"]);
  assert.equal(utf8Text(splitter.rest()!), "b");
  assert.equal(splitter.rest(), undefined);
});

Deno.test("a flood without newline is refused at the limit, however it is cut", () => {
  for (const size of [1, 7, 64, 200]) {
    const splitter = new FrameSplitter(100);
    assert.throws(() => {
      for (let sent = 0; sent < 200; sent += size) splitter.push(new Uint8Array(size).fill(0x41));
    }, FrameTooLong);
  }
  assert.equal(frames(["x".repeat(100) + "\n"], 100)[0]?.length, 100);
});
