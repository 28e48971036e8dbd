import assert from "node:assert/strict";
import { type ServerEvent, serverEvents } from "./events.ts";

async function read(...chunks: readonly (string | Uint8Array)[]): Promise<ServerEvent[]> {
  const encoder = new TextEncoder();
  const bytes = chunks.map((chunk) => typeof chunk === "string" ? encoder.encode(chunk) : chunk);
  return await Array.fromAsync(serverEvents(ReadableStream.from(bytes)));
}

Deno.test("events have a name, data lines joined, and comments are passed over", async () => {
  assert.deepEqual(await read(": hello\nevent: ping\ndata: {}\n\ndata: one\ndata:two\nid: 7\n\n\n"), [
    { event: "ping", data: "{}" },
    { event: "message", data: "one\ntwo" },
  ]);
});

Deno.test("line ends and characters may be cut anywhere", async () => {
  const text = "event: a\r\ndata: caf\u00e9 \u{1f600}\r\n\r\ndata: b\r\rdata: c\n\n";
  const bytes = new TextEncoder().encode(text);
  const whole = await read(text);
  assert.deepEqual(whole.map(({ data }) => data), ["caf\u00e9 \u{1f600}", "b", "c"]);
  for (let at = 1; at < bytes.length; at++) {
    assert.deepEqual(await read(bytes.subarray(0, at), bytes.subarray(at)), whole);
  }
  assert.deepEqual(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte))), whole);
});

Deno.test("an event that is cut off by the end is dropped", async () => {
  assert.deepEqual(await read("data: whole\n\ndata: cut"), [{ event: "message", data: "whole" }]);
});

Deno.test("leaving the loop ends the request", async () => {
  let ended = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("data: x\n\n")),
    cancel: () => void (ended = true),
  });
  for await (const _ of serverEvents(body)) break;
  assert.equal(ended, true);
});
