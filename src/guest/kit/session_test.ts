import assert from "node:assert/strict";
import type { Json } from "../../base/mod.ts";
import { fail } from "./failure.ts";
import { Session } from "./session.ts";
import type { Handlers } from "./types.ts";

interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: { readonly [key: string]: unknown };
  readonly result?: { readonly [key: string]: unknown };
  readonly error?: { readonly code: number };
}

/** A session whose messages end up in a list. */
function sessionWith(handlers: Handlers) {
  const sent: Message[] = [];
  const logged: string[] = [];
  const session = new Session({
    handlers,
    files: "/nowhere",
    log: (line) => logged.push(line),
    send: (message: Json) => sent.push(message as unknown as Message),
  });
  const take = (message: object) => session.receive(new TextEncoder().encode(JSON.stringify(message)));
  const call = (id: string | number, name: string, extra: object = {}) =>
    take({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: {}, ...extra } });
  return { session, sent, logged, take, call };
}

/** Lets everything happen that waits for nothing but its turn. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("initialize answers the version asked for, or the newest", () => {
  const { sent, take } = sessionWith({});
  for (const version of ["2024-11-05", "2025-11-25", "1999-01-01"]) {
    take({ jsonrpc: "2.0", id: version, method: "initialize", params: { protocolVersion: version } });
  }
  assert.deepEqual(sent.map(({ result }) => result?.["protocolVersion"]), [
    "2024-11-05",
    "2025-11-25",
    "2025-11-25",
  ]);
});

Deno.test("ping and the list of tools are answered; notifications are not", () => {
  const { sent, take } = sessionWith({ ocr_extract: () => ({}) });
  take({ jsonrpc: "2.0", method: "notifications/initialized" });
  take({ jsonrpc: "2.0", id: 1, method: "ping" });
  take({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  assert.deepEqual(sent[0]?.result, {});
  assert.deepEqual(sent[1]?.result, { tools: [{ name: "ocr_extract", inputSchema: { type: "object" } }] });
});

Deno.test("a result carries the output once, as structure, and the units counted", async () => {
  const { sent, call } = sessionWith({
    t: (_, { units }) => {
      units({ pages: 2 });
      units({ pages: 1, seconds: 0.5 });
      return { ok: true };
    },
  });
  call("a", "t");
  await settle();
  assert.deepEqual(sent, [{
    jsonrpc: "2.0",
    id: "a",
    result: {
      content: [],
      structuredContent: { ok: true },
      _meta: { "handler/units": { pages: 3, seconds: 0.5 } },
    },
  }]);
});

Deno.test("0 and the empty text are ids", async () => {
  const { sent, call } = sessionWith({ t: () => ({}) });
  call(0, "t");
  call("", "t");
  await settle();
  assert.deepEqual(sent.map(({ id }) => id), [0, ""]);
});

Deno.test("calls run side by side and answer in their own order", async () => {
  const first = Promise.withResolvers<void>();
  const { sent, call } = sessionWith({ slow: () => first.promise.then(() => ({})), quick: () => ({}) });
  call(1, "slow");
  call(2, "quick");
  await settle();
  assert.deepEqual(sent.map(({ id }) => id), [2]);
  first.resolve();
  await settle();
  assert.deepEqual(sent.map(({ id }) => id), [2, 1]);
});

Deno.test("a declared failure keeps its code; anything else becomes unavailable without its text", async () => {
  const { sent, logged, call } = sessionWith({
    declared: (_, call) => call.fail("too_large", "the file has 30 MB, the most is 20"),
    apart: () => fail("unsupported_format", "it is a zip"),
    broken: () => {
      throw new Error("the key sk-123 was refused");
    },
  });
  for (const name of ["declared", "apart", "broken"]) call(name, name);
  await settle();
  const errors = sent.map(({ result }) => {
    assert.equal(result?.["isError"], true);
    assert.equal(result?.["structuredContent"], undefined);
    return JSON.parse((result?.["content"] as { text: string }[])[0]?.text ?? "");
  });
  assert.deepEqual(errors[0], { error: "too_large", message: "the file has 30 MB, the most is 20" });
  assert.equal(errors[1].error, "unsupported_format");
  assert.equal(errors[2].error, "unavailable");
  assert.ok(!JSON.stringify(sent).includes("sk-123"));
  assert.equal(logged.length, 1);
});

Deno.test("progress goes out only where it was asked for, grows, and ends with the result", async () => {
  let late = () => {};
  const { sent, call } = sessionWith({
    t: (_, { progress }) => {
      progress(1, 3);
      progress(1, 3);
      progress(0.5);
      progress(2, 3, "nearly");
      late = () => progress(3, 3);
      return {};
    },
  });
  call(1, "t");
  await settle();
  assert.equal(sent.length, 1);
  call(2, "t", { _meta: { progressToken: 0 } });
  await settle();
  late();
  assert.deepEqual(sent.slice(1).map(({ method, params }) => [method, params?.["progress"]]), [
    ["notifications/progress", 1],
    ["notifications/progress", 2],
    [undefined, undefined],
  ]);
  assert.deepEqual(sent[2]?.params, { progressToken: 0, progress: 2, total: 3, message: "nearly" });
});

Deno.test("a cancelled call is aborted and nothing is sent for it any more", async () => {
  const aborted: unknown[] = [];
  const { sent, take, call } = sessionWith({
    t: (_, { signal, progress }) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          aborted.push(signal.reason);
          progress(1);
          resolve({});
        })
      ),
  });
  call(0, "t", { _meta: { progressToken: "p" } });
  take({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 0 } });
  take({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99 } });
  await settle();
  assert.equal(aborted.length, 1);
  assert.deepEqual(sent, []);
});

Deno.test("a lost connection aborts every call", async () => {
  let aborted = 0;
  const { session, sent, call } = sessionWith({
    t: (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => aborted++)),
  });
  call(1, "t");
  call(2, "t");
  session.end("the connection was lost");
  await settle();
  assert.equal(aborted, 2);
  assert.deepEqual(sent, []);
});

Deno.test("what is wrong with a message is answered with JSON-RPC's codes", async () => {
  const { session, sent, take, call } = sessionWith({ t: () => new Promise(() => {}) });
  session.receive(Uint8Array.of(0x22, 0xff, 0x22));
  take([]);
  take({ jsonrpc: "2.0", id: 1, method: "resources/list" });
  call(2, "toString");
  call(3, "t");
  call(3, "t");
  take({ jsonrpc: "2.0", id: {}, method: "ping" });
  await settle();
  assert.deepEqual(sent.map(({ error }) => error?.code), [-32700, -32600, -32601, -32602, -32600, -32600]);
});

Deno.test("pieces of an answer go out as messages of progress where they are wanted, else its growth alone", async () => {
  const { sent, call } = sessionWith({
    t: (_, { piece, progress }) => {
      piece("Hello");
      piece("");
      progress(6, 7, "half of it");
      piece(", you there.");
      piece("x".repeat(60));
      return {};
    },
  });
  const notes = () => {
    const all = sent.splice(0).filter(({ method }) => method);
    return all.map(({ params }) => [params?.["progress"], params?.["message"]]);
  };
  call(1, "t", { _meta: { progressToken: 0, "handler/pieces": true } });
  await settle();
  assert.deepEqual(notes(), [[5, "Hello"], [6, undefined], [18, ", you there."], [78, "x".repeat(60)]]);
  call(2, "t", { _meta: { progressToken: 0 } });
  await settle();
  assert.deepEqual(notes(), [[6, "half of it"], [83, undefined]]);
  call(3, "t", { _meta: { "handler/pieces": true } });
  await settle();
  assert.deepEqual(notes(), []);
});
