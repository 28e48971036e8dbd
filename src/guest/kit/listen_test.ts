import assert from "node:assert/strict";
import { type ConnectorServer, listen } from "./listen.ts";
import type { Handlers } from "./types.ts";

async function withConnector(
  handlers: Handlers,
  use: (socket: string, server: ConnectorServer, logged: string[]) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "kit-" });
  const logged: string[] = [];
  const server = listen(handlers, {
    socket: `${folder}/c.sock`,
    files: folder,
    log: (line) => logged.push(line),
  });
  try {
    await use(`${folder}/c.sock`, server, logged);
  } finally {
    server.close();
    await Deno.remove(folder, { recursive: true });
  }
}

async function send(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

/** Reads until `count` lines are there or the other side closes. */
async function receive(connection: Deno.Conn, count: number): Promise<string[]> {
  const buffer = new Uint8Array(65_536);
  let text = "";
  while (text.split("\n").length <= count) {
    const read = await connection.read(buffer);
    if (read === null) break;
    text += new TextDecoder().decode(buffer.subarray(0, read));
  }
  return text.split("\n").filter(Boolean);
}

const request = (id: number, name: string, input: object = {}) =>
  new TextEncoder().encode(
    JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: input } }) + "\n",
  );

Deno.test("a message may come in any pieces, and several in one", () =>
  withConnector({ echo: (input) => ({ text: String(input["text"]) }) }, async (socket) => {
    using connection = await Deno.connect({ transport: "unix", path: socket });
    // U+2028 is no line end, and the pieces cut through its bytes
    for (const byte of request(1, "echo", { text: "a\u2028b" })) await send(connection, Uint8Array.of(byte));
    const [first] = await receive(connection, 1);
    assert.equal(JSON.parse(first ?? "").result.structuredContent.text, "a\u2028b");
    await send(connection, new Uint8Array([...request(2, "echo"), ...request(3, "echo")]));
    assert.deepEqual((await receive(connection, 2)).map((line) => JSON.parse(line).id), [2, 3]);
  }));

Deno.test("closing the connection aborts its calls and no other's", () =>
  withConnector({
    wait: (_, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => aborted.resolve());
        others.promise.then(() => resolve({}));
      }),
  }, async (socket) => {
    using stays = await Deno.connect({ transport: "unix", path: socket });
    const leaves = await Deno.connect({ transport: "unix", path: socket });
    await send(leaves, request(1, "wait"));
    await send(leaves, new TextEncoder().encode('{"jsonrpc":"2.0","id":2,"method":"ping"}\n'));
    await receive(leaves, 1);
    leaves.close();
    await aborted.promise;
    await send(stays, request(1, "wait"));
    others.resolve();
    assert.equal((await receive(stays, 1)).length, 1);
  }));

const aborted = Promise.withResolvers<void>();
const others = Promise.withResolvers<void>();

Deno.test("a flood without a newline ends that connection and no other", () =>
  withConnector({ echo: () => ({}) }, async (socket, _, logged) => {
    using flood = await Deno.connect({ transport: "unix", path: socket });
    const piece = new Uint8Array(1024 * 1024).fill(0x20);
    await assert.rejects(async () => {
      for (let i = 0; i < 64; i++) await send(flood, piece);
    });
    assert.match(logged.join("\n"), /more than 16777216 bytes/);
    using other = await Deno.connect({ transport: "unix", path: socket });
    await send(other, request(1, "echo"));
    assert.equal((await receive(other, 1)).length, 1);
  }));
