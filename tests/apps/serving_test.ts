import assert from "node:assert/strict";
import { request } from "node:http";
import { connect } from "node:net";
import { forgetPeak, peakBytes, residentBytes } from "../../bench/measure/machine.ts";
import { driverHere } from "../system/home.ts";
import { until } from "../system/wait.ts";
import { askPort, rawAsk, type Visit, visit } from "./ask.ts";
import { addApp, deployApp, openApp, startDaemon } from "./daemon.ts";
import { onDriver } from "./drivers.ts";
import { backend } from "./small_app.ts";

const SERVER = backend(
  `
  if (pathname === "/api/slow") {
    const pieces = ["one ", "two ", "three"];
    return new Response(new ReadableStream({
      async pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) return controller.close();
        controller.enqueue(new TextEncoder().encode(piece));
        await new Promise((later) => setTimeout(later, 150));
      },
    }));
  }
  if (pathname === "/api/events") {
    let timer;
    return new Response(new ReadableStream({
      start(controller) {
        let count = 0;
        const send = () => controller.enqueue(new TextEncoder().encode("data: " + ++count + "\\n\\n"));
        timer = setInterval(send, 50);
      },
      cancel() { clearInterval(timer); gone++; },
    }), { headers: { "content-type": "text/event-stream" } });
  }
  if (pathname === "/api/gone") return Response.json(gone);
  if (pathname === "/api/upload") {
    let size = 0;
    for await (const chunk of request.body) size += chunk.length;
    return Response.json({ size, length: request.headers.get("content-length") });
  }
  if (pathname === "/api/unread") return new Response("too large", { status: 413 });
  if (pathname === "/api/download") {
    let left = request.url.endsWith("some") ? 256 : 1024;
    return new Response(new ReadableStream({
      pull(controller) {
        if (left-- === 0) return controller.close();
        controller.enqueue(new Uint8Array(1024 * 1024));
      },
    }));
  }
  if (pathname === "/api/headers") return Response.json([...request.headers]);
  if (pathname === "/api/socket") {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) => socket.send(typeof data === "string" ? "echo " + data : data);
    return response;
  }
  if (pathname === "/api/crash") Deno.exit(9);
`,
  "let gone = 0;",
);

async function opened(desk: Parameters<Parameters<typeof onDriver>[2]>[0]): Promise<Visit> {
  await desk.lay({ name: "stream", server: SERVER });
  await desk.deploy("stream");
  return await visit(desk, "stream");
}

const headersOf = ({ host, origin, cookie }: Visit) => ({ host, origin, cookie });

onDriver("bubblewrap", "answers stream as they come, and events until the client goes", async (desk) => {
  const page = await opened(desk);
  const pieces: string[] = [];
  await new Promise<void>((done, failed) => {
    request(
      { port: page.port, host: "127.0.0.1", path: "/api/slow", headers: headersOf(page), agent: false },
      (answer) => {
        answer.setEncoding("utf8").on("data", (piece) => pieces.push(piece)).on("end", done);
      },
    ).on("error", failed).end();
  });
  assert.equal(pieces.join(""), "one two three");
  assert.ok(pieces.length >= 3, `it came in ${pieces.length} pieces`);

  // a socket of its own: `destroy` of a request on an older Deno does not end the connection in the middle of an answer
  const socket = connect(page.port, "127.0.0.1");
  let got = "";
  socket.setEncoding("utf8").on("data", (piece) => got += piece).on("error", () => {});
  const lines = Object.entries(headersOf(page)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET /api/events HTTP/1.1\r\n${lines.join("")}\r\n`);
  await until("three events", () => got.includes("data: 3\n\n"));
  socket.destroy();
  assert.match(got, /^content-type: text\/event-stream\r$/im);
  assert.deepEqual(got.match(/data: \d+\n\n/g)?.slice(0, 3), ["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"]);
  await until(
    "the backend to hear that the client went",
    async () => (await page.ask({ path: "/api/gone" })).text === "1",
  );
});

/** Sends `size` bytes, with a length or in pieces, at the pace that they are taken. */
function upload(
  page: Visit,
  path: string,
  size: number,
  chunked: boolean,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const length = chunked ? {} : { "content-length": String(size) };
    const headers = { ...headersOf(page), ...length };
    const asked = request(
      { port: page.port, host: "127.0.0.1", method: "POST", path, headers, agent: false },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (piece) => text += piece);
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text })).on("error", reject);
      },
    );
    asked.on("error", reject);
    const piece = new Uint8Array(1024 * 1024);
    let left = size / piece.length;
    const more = () => {
      while (left-- > 0) if (!asked.write(piece)) return asked.once("drain", more);
      asked.end();
    };
    more();
  });
}

/** Reads everything below a path and gives how many bytes that was. */
function download(page: Visit, path: string): Promise<number> {
  return new Promise((done, failed) => {
    const { port } = page;
    request({ port, host: "127.0.0.1", path, headers: headersOf(page), agent: false }, (answer) => {
      let got = 0;
      answer.on("data", (piece) => got += piece.length).on("end", () => done(got));
    }).on("error", failed).end();
  });
}

Deno.test("a gigabyte up and down costs handlerd no memory to speak of", async () => {
  await using home = await startDaemon(await driverHere());
  await addApp(home, { name: "stream", server: SERVER });
  await deployApp(home, "stream");
  const page = await openApp(home, "stream");
  const some = 256 * 1024 ** 2, size = 1024 ** 3;
  assert.deepEqual(JSON.parse((await upload(page, "/api/upload", some, true)).text), {
    size: some,
    length: null,
  });
  await download(page, "/api/download?some");
  const before = residentBytes(home.pid);
  forgetPeak(home.pid);
  const { text } = await upload(page, "/api/upload", size, false);
  assert.deepEqual(JSON.parse(text), { size, length: String(size) });
  assert.equal(await download(page, "/api/download"), size);
  const grown = Math.round((peakBytes(home.pid) - before) / 1024 ** 2);
  assert.ok(grown < 256, `${grown} MiB`);
});

onDriver(
  "bubblewrap",
  "an answer that comes before the whole request is given to the client",
  async (desk) => {
    const page = await opened(desk);
    const { status, text } = await upload(page, "/api/unread", 8 * 1024 ** 2, false);
    assert.deepEqual([status, text], [413, "too large"]);
  },
);

onDriver(
  "bubblewrap",
  "the backend gets the person, its own host, and nothing of the cookie",
  async (desk) => {
    const page = await opened(desk);
    await desk.apps.settle("stream", (settings) => ({ ...settings, persons: ["alice"] }));
    const alice = await visit(desk, "stream", "alice");
    const forged = { "x-handler-person": "owner", "X_Handler_Person": "owner", accept: "text/x" };
    const headers = new Map<string, string>(
      JSON.parse((await alice.ask({ path: "/api/headers", headers: forged })).text),
    );
    assert.equal(headers.get("x-handler-person"), "alice");
    assert.equal(headers.get("host"), "stream.localhost");
    assert.equal(headers.get("accept"), "text/x");
    for (const name of ["cookie", "x_handler_person"]) assert.equal(headers.has(name), false, name);
    await desk.apps.settle("stream", (settings) => ({ ...settings, persons: [] }));
    assert.equal((await alice.ask({ path: "/api/headers" })).status, 401, "no longer shared");
    assert.equal((await page.ask({ path: "/api/headers" })).status, 200);
  },
);

onDriver("bubblewrap", "WebSockets reach the backend, from the app's own page alone", async (desk) => {
  const page = await opened(desk);
  const hello = (headers: Record<string, string>) =>
    "GET /api/socket HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
    Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("") + "\r\n";
  const own = headersOf(page);
  const refused: Record<string, string>[] = [
    { ...own, origin: "http://other.localhost" },
    { ...own, origin: "null" },
    { host: own.host, cookie: own.cookie },
    { host: own.host, origin: own.origin },
    { ...own, origin: `${own.origin}\r\nOrigin: ${own.origin}` },
  ];
  for (const headers of refused) {
    assert.match(await rawAsk(page.port, hello(headers)), /^HTTP\/1\.1 403 /, JSON.stringify(headers));
  }
  assert.match(await rawAsk(page.port, hello({ ...own, host: "other.localhost" })), /^HTTP\/1\.1 421 /);

  const socket = connect(page.port, "127.0.0.1");
  let got = "";
  socket.setEncoding("latin1").on("data", (piece) => got += piece);
  socket.write(hello(own));
  await until("the handshake", () => got.includes("\r\n\r\n"));
  assert.match(got, /^HTTP\/1\.1 101 Switching Protocols\r\n/);
  assert.match(got, /sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/i);
  got = "";
  socket.write(new Uint8Array([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]));
  await until("the echo", () => got.includes("echo hi"));
  await desk.deploy("stream");
  await until("the deploy to end the connection", () => socket.destroyed || socket.readableEnded);
  socket.destroy();
});

onDriver(
  "bubblewrap",
  "a backend that dies in the middle is told with its last words, and comes back",
  async (desk) => {
    const page = await opened(desk);
    const answer = await page.ask({ path: "/api/crash" });
    assert.equal(answer.status, 503);
    assert.equal(answer.headers["retry-after"], "2");
    const { error } = JSON.parse(answer.text);
    assert.equal(error.kind, "unavailable");
    assert.match(error.message, /stream broke off its answer/);
    // a call that comes while the process is still dying may be broken off with it
    await until("the app to come back", async () => (await page.ask({ path: "/api/gone" })).status === 200);
  },
);

onDriver(
  "bubblewrap",
  "the page is served while the backend sleeps; without a cookie it says how to open it",
  async (desk) => {
    const page = await opened(desk);
    const started = desk.starts.count;
    assert.equal((await page.ask({})).status, 200);
    assert.equal(desk.starts.count, started);
    const { host } = page;
    const out = await askPort(page.port, { headers: { host } });
    assert.equal(out.status, 401);
    assert.match(out.text, /handler app open stream/);
    assert.match(String(out.headers["content-security-policy"]), /default-src 'none'/);
    const link = await askPort(page.port, { path: "/_handler/open", headers: { host } });
    assert.equal(link.status, 200);
    assert.match(link.text, /method: "POST"/);
    assert.equal(
      (await askPort(page.port, { headers: { host: host.replace("stream", "none") } })).status,
      421,
    );
  },
);
