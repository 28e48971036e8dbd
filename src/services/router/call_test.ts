import assert from "node:assert/strict";
import { codeOf, echoInterface, failed, RawClient, RouterRig, success } from "./testing.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function rigWith(answers: Record<string, Parameters<RouterRig["answers"]["set"]>[1]>) {
  const rig = await RouterRig.make();
  for (const [name, answer] of Object.entries(answers)) rig.answers.set(name, answer);
  return rig;
}

Deno.test("the next binding is tried on unavailable and on nothing else", async () => {
  await using rig = await rigWith({
    down: () => failed("unavailable"),
    picky: () => failed("odd"),
    up: (call) => success(call.arguments),
  });
  using first = (await rig.caller(["gone", "down", "up"])).client;
  assert.equal((await first.call("echo_text", { text: "a" })).structuredContent.text, "a");
  assert.equal(rig.records.at(-1)?.binding, "up");
  using second = (await rig.caller(["picky", "up"])).client;
  assert.equal(codeOf(await second.call("echo_text", { text: "a" })), "odd");
  using none = (await rig.caller([])).client;
  assert.equal(codeOf(await none.call("echo_text", { text: "a" })), "unavailable");
});

Deno.test("privacy local passes over connectors with egress", async () => {
  await using rig = await rigWith({
    near: (call) => success(call.arguments),
    far: () => success({ text: "far" }),
  });
  rig.egress.add("far");
  using client = (await rig.caller(["far", "near"], echoInterface(), { privacy: "local" })).client;
  assert.equal((await client.call("echo_text", { text: "a" })).structuredContent.text, "a");
  using only = (await rig.caller(["far"], echoInterface(), { privacy: "local" })).client;
  assert.equal(codeOf(await only.call("echo_text", { text: "a" })), "unavailable");
  assert.match(rig.records.at(-1)!.detail!, /privacy is local/);
  assert.ok(!rig.starts.includes("far"));
});

Deno.test("the hard limit stands although progress never ends", async () => {
  const ended = Promise.withResolvers<void>();
  await using rig = await rigWith({
    one: async (call) => {
      let over = false;
      void call.cancelled.then(() => over = true);
      for (let step = 1; !over; step++) {
        await call.progress(step);
        await pause(20);
      }
      ended.resolve();
    },
  });
  using client = (await rig.caller(["one"], echoInterface({ timeoutSeconds: 0.3 }))).client;
  const params = { name: "echo_text", arguments: { text: "x" }, _meta: { progressToken: 1 } };
  await client.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }) + "\n");
  let message = await client.next();
  let progress = 0;
  for (; message.method === "notifications/progress"; message = await client.next()) progress++;
  assert.ok(progress > 3);
  assert.equal(codeOf(message.result), "limit");
  assert.match(message.result.content[0].text, /timeoutSeconds/);
  assert.deepEqual((await client.ask("ping", {}, 2)).result, {});
  await ended.promise;
});

Deno.test("limits say which: calls of a run, calls at once wait in order", async () => {
  let most = 0, now = 0;
  await using rig = await rigWith({
    one: async (call) => {
      most = Math.max(most, ++now);
      await pause(5);
      now--;
      return success(call.arguments);
    },
  });
  using client = (await rig.caller(["one"], echoInterface({ maxConcurrent: 2, maxCallsPerRun: 10 }))).client;
  const texts = Array.from({ length: 10 }, (_, id) => {
    const params = { name: "echo_text", arguments: { text: `${id}` } };
    return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }) + "\n";
  });
  await client.send(texts.join(""));
  for (let i = 0; i < 10; i++) assert.ok((await client.next()).result.structuredContent);
  assert.equal(most, 2);
  const refused = await client.call("echo_text", { text: "11" });
  assert.equal(codeOf(refused), "limit");
  assert.match(refused.content[0].text, /maxCallsPerRun/);
});

Deno.test("a run is the caller's whole, with what it called before, or a connection where the caller says so", async () => {
  await using rig = await rigWith({ one: (call) => success(call.arguments) });
  const served = echoInterface({ maxCallsPerRun: 2 });
  const codes = async (client: RawClient, times: number) => {
    const answers = [];
    for (let i = 0; i < times; i++) answers.push(codeOf(await client.call("echo_text", { text: "a" })));
    return answers;
  };
  const agent = await rig.caller(["one"], served, { run: (id) => id === "echo/v1" ? 1 : 0 });
  using first = agent.client, second = await RawClient.connect(agent.path);
  assert.deepEqual(await codes(first, 1), [""]);
  assert.deepEqual(await codes(second, 1), ["limit"]);
  const outside = await rig.caller(["one"], served, { run: "connection" });
  using one = outside.client, another = await RawClient.connect(outside.path);
  assert.deepEqual(await codes(one, 3), ["", "", "limit"]);
  assert.deepEqual(await codes(another, 3), ["", "", "limit"]);
});

Deno.test("files go in and out without a path on the connector's wire", async () => {
  let wire = "";
  await using rig = await rigWith({
    one: async (call) => {
      wire = call.message.text;
      const { path, out } = call.arguments as {
        path: { $file: string; size: number };
        out: { $output: string };
      };
      const bytes = await Deno.readFile(`${call.files}/in/${path.$file}`);
      await Deno.writeFile(`${call.files}/out/${out.$output}`, bytes.reverse());
      return success({ size: path.size });
    },
  });
  await Deno.writeTextFile(`${rig.scope}/in.pdf`, "%PDF-abc");
  using client = (await rig.caller(["one"])).client;
  const result = await client.call("echo_file", { path: "in.pdf", out: `${rig.scope}/out.bin` });
  assert.deepEqual(result.structuredContent, { size: 8 });
  assert.equal(await Deno.readTextFile(`${rig.scope}/out.bin`), "cba-FDP%");
  assert.doesNotMatch(wire, /in\.pdf|out\.bin|work/);
  assert.match(wire, /"mediaType":"application\/pdf"/);
  assert.equal(rig.records[0]?.bytesOut, result.content[0].text.length + 8);
});

Deno.test("a file out of the scope, a link, a FIFO, a folder, one too large, one not there: refused", async () => {
  await using rig = await rigWith({
    one: async (call) => {
      const { out } = call.arguments as { out?: { $output: string } };
      if (out) await Deno.writeTextFile(`${call.files}/out/${out.$output}`, "result");
      return success({ size: 0 });
    },
  });
  const outside = await Deno.makeTempFile();
  await Deno.writeTextFile(outside, "secret");
  await Deno.symlink(outside, `${rig.scope}/link`);
  await Deno.mkdir(`${rig.scope}/folder`);
  await Deno.symlink("/etc", `${rig.scope}/etc`);
  await new Deno.Command("mkfifo", { args: [`${rig.scope}/fifo`] }).output();
  await Deno.writeFile(`${rig.scope}/large`, new Uint8Array(1_000_001));
  using client = (await rig.caller(["one"])).client;
  const bad = [
    "link",
    "fifo",
    "folder",
    "etc/passwd",
    "../x",
    outside,
    "none",
    "",
    "a\0b",
    "/proc/self/environ",
  ];
  for (const path of bad) {
    assert.equal(codeOf(await client.call("echo_file", { path })), "invalid_input", path);
  }
  assert.equal(codeOf(await client.call("echo_file", { path: "large" })), "limit");
  for (const out of ["link", "folder", "etc/x", "../x", "none/x"]) {
    assert.equal(codeOf(await client.call("echo_file", { out })), "invalid_input", out);
  }
  assert.equal(await Deno.readTextFile(outside), "secret");
  await Deno.remove(outside);
});

Deno.test("noise fails the call it came in, a flood its connection, and no other caller's", async () => {
  await using rig = await rigWith({
    one: async (call) => {
      const { text } = call.arguments;
      if (text === "noise") await call.raw("Listening on port 3000\n");
      if (text === "flood") await call.raw("x".repeat(17 * 1024 * 1024)).catch(() => {});
      if (text === "twice") {
        await call.raw(
          `{"jsonrpc":"2.0","id":${call.message.id},"result":{"structuredContent":{"text":"1","text":"2"}}}\n`,
        );
      }
      if (text === "wait") await pause(300);
      return success(call.arguments);
    },
  });
  const other = (await rig.caller(["one"])).client;
  using client = (await rig.caller(["one"])).client;
  const waiting = other.call("echo_text", { text: "wait" });
  for (const text of ["noise", "flood", "twice"]) {
    assert.equal(codeOf(await client.call("echo_text", { text })), "unavailable", text);
    assert.equal((await client.call("echo_text", { text: "fine" })).structuredContent.text, "fine");
  }
  assert.equal((await waiting).structuredContent.text, "wait");
  assert.equal(rig.starts.length, 1);
  other[Symbol.dispose]();
});

Deno.test("trace context is taken up, passed on and kept in the record; a broken one is dropped", async () => {
  const seen: unknown[] = [];
  await using rig = await rigWith({
    one: (call) => {
      seen.push((call.message.params._meta as { traceparent?: string } | undefined)?.traceparent);
      return success(call.arguments);
    },
  });
  using client = (await rig.caller(["one"])).client;
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  await client.call("echo_text", { text: "a" }, { traceparent });
  await client.call("echo_text", { text: "b" }, { traceparent: "x; drop" });
  assert.deepEqual(seen, [traceparent, undefined]);
  assert.equal(rig.records[0]?.traceId, "0af7651916cd43dd8448eb211c80319c");
});

Deno.test("many answers that come in one go reach each its own call, whatever their length and script", async () => {
  const answers: string[] = [];
  await using rig = await rigWith({
    one: async (call) => {
      const { message: { id }, arguments: args } = call;
      answers.push(JSON.stringify({ jsonrpc: "2.0", id, result: success(args) }) + "\n");
      if (answers.length < 60) return;
      // in pieces that end in the midst of an answer, so that what follows moves in memory
      const pieces = answers.join("").match(/[^]{1,3000}/gu)!;
      for (const piece of pieces) {
        await call.raw(piece);
        await pause(1);
      }
    },
  });
  using client = (await rig.caller(["one"], echoInterface({ maxConcurrent: 60 }))).client;
  const texts = Array.from(
    { length: 60 },
    (_, id) => `${id}:` + ["a", "é", "🦆", '"}'][id % 4]!.repeat(id * 37),
  );
  const frames = texts.map((text, id) => {
    return JSON.stringify({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "echo_text", arguments: { text } },
    });
  });
  await client.send(frames.join("\n") + "\n");
  for (let left = texts.length; left > 0; left--) {
    const { id, result } = await client.next();
    assert.equal(result.structuredContent?.text, texts[id]);
    assert.deepEqual(JSON.parse(result.content[0].text), { text: texts[id] });
  }
});

Deno.test("units are counted where they are numbers, and nothing else passes with them", async () => {
  await using rig = await rigWith({
    one: (call) =>
      success(call.arguments, { _meta: { "handler/units": { pages: 3, "bad name": 1, text: "x" } } }),
  });
  using client = (await rig.caller(["one"])).client;
  const result = await client.call("echo_text", { text: "a" });
  assert.deepEqual(rig.records[0]?.units, { pages: 3 });
  assert.deepEqual(Object.keys(result).sort(), ["content", "structuredContent"]);
});

Deno.test("10,000 mutated frames: the router lives and another caller is served throughout", async () => {
  await using rig = await rigWith({ one: (call) => success(call.arguments) });
  const { client: other, path } = await rig.caller(["one"]);
  const seedTexts = [
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo_text","arguments":{"text":"abc","count":3}}}',
    '{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}',
    '{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
    '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"echo_file","arguments":{"path":"../../etc/passwd"}}}',
  ].map((text) => new TextEncoder().encode(text));
  let state = 20261130;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
  for (let batch = 0; batch < 100; batch++) {
    const mutant = await Deno.connect({ transport: "unix", path });
    const drained = mutant.readable.pipeTo(new WritableStream()).catch(() => {});
    const frames = Array.from({ length: 100 }, () => mutate(seedTexts[random(seedTexts.length)]!, random));
    const writer = mutant.writable.getWriter();
    for (const frame of frames) await writer.write(new Uint8Array([...frame, 10])).catch(() => {});
    await writer.close().catch(() => {});
    assert.equal((await other.call("echo_text", { text: `${batch}` })).structuredContent.text, `${batch}`);
    await drained;
  }
  assert.equal(rig.running, 1);
  other[Symbol.dispose]();
});

function mutate(text: Uint8Array, random: (below: number) => number): Uint8Array {
  const bytes = [...text];
  for (let edits = 1 + random(4); edits > 0; edits--) {
    const at = random(bytes.length);
    switch (random(4)) {
      case 0:
        bytes[at] = random(256);
        break;
      case 1:
        bytes.splice(at, 1 + random(8));
        break;
      case 2:
        bytes.splice(at, 0, ...Array.from({ length: 1 + random(8) }, () => random(256)));
        break;
      case 3:
        bytes.splice(at, 0, ...bytes.slice(random(bytes.length), at + random(20)));
        break;
    }
    if (bytes.length === 0) bytes.push(0x7b);
  }
  return new Uint8Array(bytes);
}
