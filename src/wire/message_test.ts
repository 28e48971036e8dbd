import assert from "node:assert/strict";
import { utf8, utf8Text } from "../base/mod.ts";
import { errorResponse, longString, MessageError, readMessage, requestText, resultText } from "./message.ts";

function failure(text: string | Uint8Array): MessageError {
  try {
    readMessage(typeof text === "string" ? utf8(text) : text);
  } catch (error) {
    assert.ok(error instanceof MessageError, String(error));
    return error;
  }
  assert.fail("the message was taken");
}

Deno.test("0 and the empty text are ids", () => {
  for (const id of [0, "", "a", -1, 2 ** 53]) {
    const message = readMessage(utf8(requestText(id, "ping", "{}")));
    assert.equal(message.kind, "request");
    assert.equal(message.id, id);
  }
});

Deno.test("a notification has no id, a response has one and a result or an error", () => {
  assert.equal(readMessage(utf8('{"jsonrpc":"2.0","method":"notifications/x"}')).kind, "notification");
  assert.equal(readMessage(utf8(resultText(0, "{}"))).kind, "response");
  assert.equal(readMessage(utf8(errorResponse("x", -1, "no"))).kind, "response");
  assert.equal(failure('{"jsonrpc":"2.0","id":1,"result":{},"error":{}}').code, -32600);
});

Deno.test("what is no message is answered by the right code, with the id where it can be read", () => {
  assert.equal(failure("{nope").code, -32700);
  assert.equal(failure('{"a":1,}').code, -32700);
  assert.equal(failure(new Uint8Array([0x22, 0xff, 0x22])).code, -32700);
  assert.equal(failure("[]").code, -32600);
  assert.equal(failure("3").code, -32600);
  assert.equal(failure('{"jsonrpc":"1.0","id":4,"method":"x"}').id, 4);
  assert.equal(failure('{"jsonrpc":"2.0","id":null,"method":"x"}').code, -32600);
  assert.equal(failure('{"jsonrpc":"2.0","id":5,"method":"x","params":[1]}').id, 5);
});

Deno.test("a name written twice deep inside is refused and the id kept for the answer", () => {
  const error = failure(
    '{"jsonrpc":"2.0","id":9,"method":"x","params":{"arguments":{"p":{"name":1,"name":2}}}}',
  );
  assert.equal(error.code, -32600);
  assert.equal(error.id, 9);
  assert.equal(readMessage(utf8('{"jsonrpc":"2.0","id":1,"method":"x","params":{"name":1,"Name":2}}')).id, 1);
});

Deno.test("a message outlives the memory of its frame, and names what it carries by its kind", () => {
  const carried = '{ "text":"hällo 🦆" }';
  const both = `"params":{"arguments": ${carried} },"result":{"structuredContent":{"other":1}}`;
  const frame = utf8(`{"jsonrpc":"2.0","id":1,"method":"tools/call",${both}}`);
  const request = readMessage(frame);
  const answer = readMessage(utf8(`{"jsonrpc":"2.0","id":1,${both}}`));
  frame.fill(0x20);
  assert.deepEqual(request.payload, { text: carried, size: utf8(carried).length, bytes: undefined });
  assert.equal(answer.payload?.text, '{"other":1}');
  const long = readMessage(
    utf8(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":["${"é".repeat(50_000)}"]}}`),
  );
  assert.equal(utf8Text(long.payload!.bytes!), long.payload!.text);
});

Deno.test("a long text made in pieces is the string that JSON makes of it in one", () => {
  const texts = [
    "",
    "a",
    'x"\\\n'.repeat(50_000),
    "🦆".repeat(40_000),
    "a" + "🦆".repeat(70_000),
    "\u2028é\t".repeat(30_000),
  ];
  for (const text of texts) {
    const pieces = [...longString(text).pieces()];
    assert.equal(pieces.join(""), JSON.stringify(text));
    for (const piece of pieces) assert.equal(utf8Text(utf8(piece)), piece);
  }
});
