import assert from "node:assert/strict";
import { request } from "node:http";
import { connect } from "node:net";
import { deferred, delay, within } from "../../base/mod.ts";
import { type ServedDesk, serveDesk } from "../../../tests/fakes/desk.ts";

/** Asks as the desk's page does, and reads what comes as text. */
function ask(desk: ServedDesk, method: string, path: string, init: { body?: string } = {}) {
  const headers = { host: `localhost:${desk.port}`, origin: desk.origin, cookie: desk.cookie };
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const options = { host: "127.0.0.1", port: desk.port, method, path, headers, agent: false as const };
      const asked = request(options, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (piece) => text += piece).on("error", reject);
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      });
      asked.on("error", reject).end(init.body);
    },
  );
}

/** Sends a head as it is; the socket is the test's own. */
function open(desk: ServedDesk, head: string, ...headers: readonly string[]) {
  const socket = connect(desk.port, "127.0.0.1");
  const all = [
    `Host: localhost:${desk.port}`,
    `Origin: ${desk.origin}`,
    `Cookie: ${desk.cookie}`,
    ...headers,
  ];
  socket.on("error", () => {});
  socket.write(`${head} HTTP/1.1\r\n${all.join("\r\n")}\r\n\r\n`);
  return socket;
}

Deno.test("a request arrives whole, without what is the connection's own, and its answer too", async () => {
  let seen: Request | undefined;
  await using desk = await serveDesk(async (request) => {
    seen = request;
    return new Response(`got ${await request.text()}`, { status: 201, headers: { location: "/v1/x/1" } });
  });
  const { status, headers, text } = await ask(desk, "PUT", "/v1/x?y=1", { body: "hello" });
  assert.deepEqual([status, text, headers["location"]], [201, "got hello", "/v1/x/1"]);
  assert.match(String(headers["content-security-policy"]), /^default-src 'none'.*sandbox$/);
  assert.equal(headers["access-control-allow-origin"], undefined);
  assert.equal(seen?.url, `${desk.origin}/v1/x?y=1`);
  assert.equal(seen?.method, "PUT");
  assert.equal(seen?.headers.get("cookie"), null);
});

Deno.test("a HEAD asks what a GET would, and its body is given up", async () => {
  const given = deferred<string>();
  await using desk = await serveDesk(({ method }) =>
    Promise.resolve(
      new Response(new ReadableStream({ cancel: () => given.resolve(method) }), { headers: { etag: '"a"' } }),
    )
  );
  const { status, headers, text } = await ask(desk, "HEAD", "/v1/x");
  assert.deepEqual([status, headers["etag"], text], [200, '"a"', ""]);
  assert.equal(await within(5_000, "the end of the body", given.promise), "GET");
});

Deno.test("a stream's head and each of its pieces come at once; who leaves ends it", async () => {
  const left = deferred<void>();
  let out!: ReadableStreamDefaultController<Uint8Array>;
  let signal: AbortSignal | undefined;
  await using desk = await serveDesk((request) => {
    signal = request.signal;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void (out = controller),
      cancel: () => left.resolve(),
    });
    return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  });
  const socket = open(desk, "GET /v1/changes");
  const pieces = socket.setEncoding("utf8")[Symbol.asyncIterator]();
  const next = async () => String((await within(5_000, "a piece", pieces.next())).value);
  assert.match(await next(), /^HTTP\/1\.1 200 /);
  for (const text of ["one", "two"]) {
    out.enqueue(new TextEncoder().encode(text));
    assert.match(await next(), new RegExp(text));
  }
  socket.destroy();
  await within(5_000, "the end of the stream", left.promise);
  assert.equal(signal?.aborted, true);
});

Deno.test("who leaves before there is an answer aborts the request", async () => {
  const [came, ended] = [deferred<void>(), deferred<void>()];
  await using desk = await serveDesk(({ signal }) => {
    came.resolve();
    return new Promise((_, reject) =>
      signal.addEventListener("abort", () => {
        ended.resolve();
        reject(signal.reason);
      })
    );
  });
  const socket = open(desk, "POST /v1/x", "Content-Length: 0");
  await within(5_000, "the request", came.promise);
  socket.destroy();
  await within(5_000, "the abort", ended.promise);
});

Deno.test("an upload that breaks off ends in an error, not as if it were whole", async () => {
  const [some, told] = [deferred<void>(), deferred<string>()];
  await using desk = await serveDesk(async (request) => {
    try {
      for await (const _ of request.body!) some.resolve();
      told.resolve("whole");
    } catch {
      told.resolve("broken off");
    }
    return new Response();
  });
  const socket = open(desk, "PUT /v1/x", "Content-Length: 1000");
  socket.write("some of it");
  await within(5_000, "the first piece", some.promise);
  socket.destroy();
  assert.equal(await within(5_000, "the end", told.promise), "broken off");
});

Deno.test("an answer that breaks off ends the connection", async () => {
  await using desk = await serveDesk(() => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ === 0) controller.enqueue(new TextEncoder().encode("some"));
        else controller.error(new Error("the disk is gone"));
      },
    });
    return Promise.resolve(new Response(body));
  });
  const socket = open(desk, "GET /v1/x").setEncoding("utf8");
  let got = "";
  const end = new Promise<void>((ended) => socket.on("data", (piece) => got += piece).on("close", ended));
  await within(5_000, "the end", end);
  assert.doesNotMatch(got, /\r\n0\r\n\r\n$/);
});

Deno.test("a client that does not read is waited for, and what it sends waits for who reads it", async () => {
  const piece = new Uint8Array(64 * 1024), most = 500; // 32 MB; a few fit into the buffers on the way
  let made = 0, read = 0;
  const reading = deferred<void>();
  await using desk = await serveDesk(async (request) => {
    if (request.method === "GET") {
      return new Response(new ReadableStream({ pull: (out) => void (made++, out.enqueue(piece)) }));
    }
    const reader = request.body!.getReader();
    read += (await reader.read()).value!.length;
    reading.resolve();
    return await new Promise(() => {});
  });
  const [down, up] = [open(desk, "GET /v1/x").pause(), open(desk, "PUT /v1/x", "Transfer-Encoding: chunked")];
  let taken = 0;
  for (let sent = 0; sent < most; sent++) up.write(`10000\r\n${"x".repeat(0x10000)}\r\n`, () => void taken++);
  await within(5_000, "the first piece", reading.promise);
  for (let still = 0, last = -1; still < 10; still = last === made + taken ? still + 1 : 0) {
    last = made + taken;
    await delay(20);
  }
  assert.ok(made > 0 && made < most, `${made} pieces were made for a client that reads none`);
  assert.ok(
    taken < most && read < most * piece.length,
    `${taken} pieces were taken with nobody to read them`,
  );
  down.destroy();
  up.destroy();
});

Deno.test("clients that leave at any moment leave the desk as it was", async () => {
  await using desk = await serveDesk(() => {
    let left = 8;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await delay(1);
        if (left-- > 0) controller.enqueue(new Uint8Array(1000));
        else controller.close();
      },
    });
    return Promise.resolve(new Response(body));
  });
  await Promise.all(Array.from({ length: 40 }, async (_, at) => {
    const socket = open(desk, "GET /v1/x").resume();
    await delay(at / 2);
    socket.destroy();
  }));
  for (let i = 0; i < 5; i++) assert.equal((await ask(desk, "GET", "/v1/x")).text.length, 8000);
});

Deno.test("an open stream and a request without an answer do not keep the desk from ending", async () => {
  const [both, gone] = [deferred<void>(), deferred<void>()];
  let [came, cancelled] = [0, 0];
  await using desk = await serveDesk((request) => {
    if (++came === 2) both.resolve();
    if (request.method === "POST") return new Promise(() => {});
    const end = () => void (++cancelled, gone.resolve());
    return Promise.resolve(new Response(new ReadableStream({ cancel: end })));
  });
  const sockets = [open(desk, "GET /v1/changes"), open(desk, "POST /v1/x", "Content-Length: 0")];
  await within(5_000, "the requests", both.promise);
  await within(5_000, "the end", Promise.resolve(desk[Symbol.asyncDispose]()));
  await within(5_000, "the end of the stream", gone.promise);
  for (const socket of sockets) socket.destroy();
});

Deno.test("an answer that comes before the request is read to its end is got all the same", async () => {
  await using desk = await serveDesk(() => Promise.resolve(new Response("too large", { status: 413 })));
  const { status, text } = await ask(desk, "POST", "/v1/x", { body: "x".repeat(8_000_000) });
  assert.deepEqual([status, text], [413, "too large"]);
  const { status: again } = await ask(desk, "POST", "/v1/x", { body: "short" });
  assert.equal(again, 413);
});
