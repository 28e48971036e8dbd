import assert from "node:assert/strict";
import { codeOf, echoInterface, failed, RawClient, RouterRig, success } from "./testing.ts";

const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

function rig(answer: Parameters<RouterRig["answers"]["set"]>[1] = (call) => success(call.arguments)) {
  return RouterRig.make().then((made) => {
    made.answers.set("one", answer);
    return made;
  });
}

Deno.test("the handshake era: initialize, list, call", async () => {
  await using made = await rig();
  using client = (await made.caller(["one"])).client;
  const hello = await client.ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: {},
  });
  assert.equal(hello.result.protocolVersion, "2025-06-18");
  assert.equal(hello.result.instructions, "Use echo_text.");
  await client.send('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const result = await client.call("echo_text", { text: "hällo 🦆" });
  assert.deepEqual(result.structuredContent, { text: "hällo 🦆" });
  assert.equal(result.content[0].text, JSON.stringify({ text: "hällo 🦆" }));
  const unknown = await client.ask("initialize", {
    protocolVersion: "1999-01-01",
    capabilities: {},
    clientInfo: {},
  });
  assert.equal(unknown.result.protocolVersion, "2025-11-25");
});

Deno.test("the stateless era: discover, list, call and listen carry resultType, old methods are unknown", async () => {
  await using made = await rig();
  using client = (await made.caller(["one"])).client;
  const found = await client.ask("server/discover", { _meta: MODERN });
  assert.deepEqual(found.result.supportedVersions, ["2026-07-28"]);
  const list = await client.ask("tools/list", { _meta: MODERN });
  assert.equal(list.result.resultType, "complete");
  const result = await client.call("echo_text", { text: "x" }, MODERN);
  assert.equal(result.resultType, "complete");
  assert.deepEqual(result.structuredContent, { text: "x" });
  assert.equal((await client.ask("ping", { _meta: MODERN })).error.code, -32601);
  const ack = await client.ask("subscriptions/listen", {
    notifications: { toolsListChanged: true },
    _meta: MODERN,
  }, "sub");
  assert.equal(ack.params._meta["io.modelcontextprotocol/subscriptionId"], "sub");
});

Deno.test("a revision that is not known is named with those that are", async () => {
  await using made = await rig();
  using client = (await made.caller(["one"])).client;
  const meta = { ...MODERN, "io.modelcontextprotocol/protocolVersion": "2031-01-01" };
  const { error } = await client.ask("tools/list", { _meta: meta });
  assert.equal(error.code, -32022);
  assert.deepEqual(error.data.supported, ["2026-07-28"]);
  const bare = await client.ask("tools/list", {
    _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
  });
  assert.equal(bare.error.code, -32602);
});

Deno.test("the listing is the text of tools.json, its line breaks as spaces", async () => {
  await using made = await rig();
  using client = (await made.caller(["one"])).client;
  await client.send('{"jsonrpc":"2.0","id":7,"method":"tools/list"}\n');
  const text = echoInterface().definition.toolsText.replaceAll("\n", " ");
  assert.equal(await client.frame(), `{"jsonrpc":"2.0","id":7,"result":{"tools":${text}}}`);
});

Deno.test("an input that breaks the schema: -32602 up to 2025-06-18, invalid_input later, the value in neither", async () => {
  await using made = await rig();
  using client = (await made.caller(["one"])).client;
  await client.ask("initialize", { protocolVersion: "2025-06-18" });
  const old = await client.call("echo_text", { text: 5, hush: "private" });
  assert.equal(old.code, -32602);
  assert.doesNotMatch(JSON.stringify(old), /private/);
  await client.ask("initialize", { protocolVersion: "2025-11-25" });
  const now = await client.call("echo_text", { text: 5, hush: "private" });
  assert.equal(codeOf(now), "invalid_input");
  assert.equal(now.structuredContent, undefined);
  assert.doesNotMatch(JSON.stringify([now, made.records]), /private/);
  assert.equal((await client.call("nope", {})).code, -32602);
  assert.deepEqual(made.records.map(({ error }) => error), ["invalid_input", "invalid_input"]);
});

Deno.test("an output that breaks the schema is unavailable and the record names the property", async () => {
  await using made = await rig((call) => {
    const { text } = call.arguments;
    if (text === "extra") return success({ text, vendor_field: "leak" });
    if (text === "null") return success(null);
    if (text === "none") return { content: [{ type: "text", text: "all fine" }] };
    return success({});
  });
  using client = (await made.caller(["one"])).client;
  for (const text of ["extra", "null", "none", "empty"]) {
    const result = await client.call("echo_text", { text });
    assert.equal(codeOf(result), "unavailable", text);
    assert.doesNotMatch(JSON.stringify(result), /leak|vendor/);
  }
  assert.match(made.records[0]!.detail!, /vendor_field/);
  assert.doesNotMatch(JSON.stringify(made.records), /leak/);
});

Deno.test("errors: a declared code passes, others become unavailable, tell-tale messages are withheld", async () => {
  await using made = await rig((call) => {
    const [code, message] = String(call.arguments.text).split("|");
    return failed(code!, message);
  });
  using client = (await made.caller(["one"])).client;
  const ask = async (text: string) => JSON.parse((await client.call("echo_text", { text })).content[0].text);
  assert.deepEqual(await ask("odd|three of five"), { error: "odd", message: "three of five" });
  assert.equal((await ask("HTTP_429|x")).error, "unavailable");
  assert.equal((await ask("cancelled|x")).error, "unavailable");
  assert.deepEqual(await ask("limit|too long for the model"), {
    error: "limit",
    message: "too long for the model",
  });
  assert.deepEqual(await ask("odd|see /home/me/secret.pdf"), { error: "odd", message: "the text is odd" });
  assert.match(made.records.at(-1)!.detail!, /withheld: it holds a path/);
  assert.equal((await ask("odd|https://api.vendor.example/v1")).message, "the text is odd");
  assert.equal((await ask(`odd|${"x".repeat(400)}`)).message, "the text is odd");
});

Deno.test("two callers with the same ids and progress tokens at once: nothing crosses", async () => {
  await using made = await rig(async (call) => {
    for (let step = 1; step <= 3; step++) await call.progress(step);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
    return success(call.arguments);
  });
  const one = await made.caller(["one"]), two = await made.caller(["one"]);
  const run = async (client: RawClient, mark: string) => {
    for (let round = 0; round < 20; round++) {
      const params = {
        name: "echo_text",
        arguments: { text: `${mark}${round}` },
        _meta: { progressToken: 1 },
      };
      await client.send(JSON.stringify({ jsonrpc: "2.0", id: 0, method: "tools/call", params }) + "\n");
      const seen = [await client.next(), await client.next(), await client.next(), await client.next()];
      assert.deepEqual(seen.slice(0, 3).map(({ params }) => [params.progressToken, params.progress]), [
        [1, 1],
        [1, 2],
        [1, 3],
      ]);
      assert.equal(seen[3].id, 0);
      assert.equal(seen[3].result.structuredContent.text, `${mark}${round}`);
    }
  };
  await Promise.all([run(one.client, "a"), run(two.client, "b")]);
  one.client[Symbol.dispose]();
  two.client[Symbol.dispose]();
});

Deno.test("cancel with id 0: the connector hears it and nothing is sent any more", async () => {
  const reached = Promise.withResolvers<void>(), heard = Promise.withResolvers<void>();
  await using made = await rig(async (call) => {
    if (call.arguments.text !== "slow") return success(call.arguments);
    reached.resolve();
    await call.cancelled;
    heard.resolve();
    await call.progress(9);
    return success({ text: "late" });
  });
  using client = (await made.caller(["one"])).client;
  const params = { name: "echo_text", arguments: { text: "slow" }, _meta: { progressToken: "p" } };
  await client.send(JSON.stringify({ jsonrpc: "2.0", id: 0, method: "tools/call", params }) + "\n");
  await reached.promise;
  await client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}\n');
  const next = await client.ask("tools/call", { name: "echo_text", arguments: { text: "after" } }, 0);
  assert.equal(next.result.structuredContent.text, "after");
  await heard.promise;
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal((await client.ask("ping")).result !== undefined, true);
  assert.equal(made.records.find(({ error }) => error === "cancelled")?.tool, "echo_text");
});

Deno.test("a caller that vanishes cancels its calls at the connector", async () => {
  const cancelled = Promise.withResolvers<void>();
  await using made = await rig((call) => {
    void call.cancelled.then(() => cancelled.resolve());
    return undefined;
  });
  const { client } = await made.caller(["one"]);
  await client.send(
    JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "echo_text", arguments: { text: "x" } },
    }) + "\n",
  );
  while (made.running === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, 50));
  client[Symbol.dispose]();
  await cancelled.promise;
});

Deno.test("a caller that only closed its sending half still gets its answer", async () => {
  await using made = await rig(async (call) => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    return success(call.arguments);
  });
  using client = (await made.caller(["one"])).client;
  await client.send(
    JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "echo_text", arguments: { text: "x" } },
    }) + "\n",
  );
  await (client.connection as Deno.UnixConn).closeWrite();
  assert.equal((await client.next()).result.structuredContent.text, "x");
  assert.equal(await client.next(), undefined);
});

Deno.test("a second request under an id that is still under way is refused, the first goes on", async () => {
  await using made = await rig(async (call) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return success(call.arguments);
  });
  using client = (await made.caller(["one"])).client;
  const text = JSON.stringify({
    jsonrpc: "2.0",
    id: "a",
    method: "tools/call",
    params: { name: "echo_text", arguments: { text: "first" } },
  });
  await client.send(`${text}\n${text}\n`);
  assert.equal((await client.next()).error.code, -32600);
  assert.equal((await client.next()).result.structuredContent.text, "first");
});

Deno.test("bad frames are answered and the connection lives; one without end closes it", async () => {
  await using made = await rig();
  const small = echoInterface({ maxMessageBytes: 4096 });
  const { client, path } = await made.caller(["one"], small);
  await client.send("{nope\n[]\n\r\n");
  assert.equal((await client.next()).error.code, -32700);
  assert.equal((await client.next()).error.code, -32600);
  assert.deepEqual((await client.ask("ping")).result, {});
  await client.send("x".repeat(5000));
  assert.match((await client.next()).error.message, /4096 bytes/);
  assert.equal(await client.next(), undefined);
  client[Symbol.dispose]();
  using again = await RawClient.connect(path);
  assert.deepEqual((await again.ask("ping")).result, {});
});
