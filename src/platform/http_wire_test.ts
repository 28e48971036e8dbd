import assert from "node:assert/strict";
import { utf8, utf8Text } from "../base/mod.ts";
import { type AnswerHead, ByteReader, readBody, readHead, requestHead } from "./http_wire.ts";

/** A reader of this text, which comes so many bytes at a time. */
function readerOf(text: string, step: number): ByteReader {
  let rest = utf8(text);
  return new ByteReader((into) => {
    const piece = rest.subarray(0, step);
    rest = rest.subarray(piece.length);
    into.set(piece);
    return Promise.resolve(piece.length || null);
  });
}

async function read(text: string, step: number, method = "GET") {
  const reader = readerOf(text, step);
  const head = await readHead(reader, method);
  let body = "";
  for await (const piece of readBody(reader, head.body)) body += utf8Text(piece);
  return { head, body, holds: reader.holds };
}

for (const step of [1, 7, 1000]) {
  Deno.test(`an answer is read however it is cut: ${step} bytes at a time`, async () => {
    const sized = await read("HTTP/1.1 201 Made\r\nContent-Length:  5 \r\nx: é\r\n\r\nhello", step);
    assert.deepEqual(sized.head.headers, [["Content-Length", "5"], ["x", "Ã©"]]);
    assert.deepEqual([sized.head.status, sized.body, sized.head.stays], [201, "hello", true]);
    const pieces = "4\r\nWiki\r\nA;x=y\r\npedia in\r\n\r\n0\r\nTrailer: x\r\n\r\n";
    const chunked = await read(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${pieces}`, step);
    assert.deepEqual([chunked.body, chunked.holds], ["Wikipedia in\r\n", false]);
    const rest = await read("HTTP/1.1 200\r\n\r\nall that comes", step);
    assert.deepEqual([rest.body, rest.head.stays], ["all that comes", false]);
    const early = "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n";
    const second = await read(`${early}HTTP/1.1 204 No Content\r\nconnection: Close\r\n\r\n`, step);
    assert.deepEqual([second.head.status, second.body, second.head.stays], [204, "", false]);
  });
}

Deno.test("an answer to HEAD has no body, whatever its head says", async () => {
  const { body, head } = await read("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n", 100, "HEAD");
  assert.deepEqual([body, head.stays], ["", true]);
});

for (
  const [what, text] of [
    ["nothing", ""],
    ["half a head", "HTTP/1.1 200 OK\r\nx: y\r\n"],
    ["half a body", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhell"],
    ["half of the pieces", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nWiki\r\n"],
    ["another protocol", "SSH-2.0-OpenSSH\r\n\r\n"],
    ["a change of the protocol", "HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello"],
    ["no number as length", "HTTP/1.1 200 OK\r\ncontent-length: +5\r\n\r\nhello"],
    ["an unknown encoding", "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n"],
    ["a line that is no header", "HTTP/1.1 200 OK\r\nno header\r\n\r\n"],
    ["a folded header", "HTTP/1.1 200 OK\r\nx: y\r\n z\r\n\r\n"],
    ["a piece without a size", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx\r\n"],
    ["a piece of another size", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n"],
    ["a head without an end", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(1_100_000)}`],
  ] as const
) {
  Deno.test(`${what} is no answer`, async () => {
    await assert.rejects(read(text, 1000));
  });
}

Deno.test("a header cannot bring a line of its own", () => {
  const { length } = requestHead("GET", "/", [["host", "x"]]);
  assert.equal(length, "GET / HTTP/1.1\r\nhost: x\r\n\r\n".length);
  assert.throws(() => requestHead("GET", "/", [["x", "y\r\nz: 1"]]), TypeError);
  assert.throws(() => requestHead("GET", "/ HTTP/1.1\r\nz: 1", []), TypeError);
});

Deno.test("an answer's end is known before anything of its body is read", async () => {
  const bodies: AnswerHead["body"][] = [];
  for (const line of ["content-length: 0", "transfer-encoding: Chunked", "x: y"]) {
    bodies.push((await readHead(readerOf(`HTTP/1.1 200 OK\r\n${line}\r\n\r\n`, 9), "GET")).body);
  }
  assert.deepEqual(bodies, [0, "chunked", "rest"]);
});
