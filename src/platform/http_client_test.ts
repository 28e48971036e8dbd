import assert from "node:assert/strict";
import { HandlerError, utf8 } from "../base/mod.ts";
import { type HttpClient, httpClientUnix } from "./http_client.ts";

const BASE = "http://handlerd";

/** A client of a server on a socket of its own. */
async function served(handle: (request: Request) => Response | Promise<Response>) {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/api.sock`;
  const server = Deno.serve(
    { path, onListen() {}, onError: () => new Response(null, { status: 500 }) },
    handle,
  );
  const client = httpClientUnix(path);
  return {
    path,
    client,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await server.shutdown();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** A server that treats each connection as told. */
async function raw(talk: (connection: Deno.Conn, count: number) => Promise<void>) {
  const folder = await Deno.makeTempDir();
  const listener = Deno.listen({ transport: "unix", path: `${folder}/api.sock` });
  let count = 0;
  const talking = (async () => {
    for await (const connection of listener) {
      await talk(connection, ++count).finally(() => connection.close());
    }
  })();
  const client = httpClientUnix(`${folder}/api.sock`);
  return {
    client,
    count: () => count,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      listener.close();
      await talking.catch(() => {});
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function text(client: HttpClient, path: string, init?: RequestInit): Promise<string> {
  return await (await client.fetch(BASE + path, init)).text();
}

async function told(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const seen = ["host", "content-type", "content-length", "transfer-encoding", "x-own"]
    .flatMap((name) => request.headers.get(name) ?? []);
  return Response.json([request.method, pathname + search, ...seen, await request.text()]);
}

Deno.test("a request arrives as it was given, whatever its body is made of", async () => {
  await using it = await served(told);
  const sent = async (init?: RequestInit) => JSON.parse(await text(it.client, "/a%20b?c=%C3%A9", init));
  const at = ["/a%20b?c=%C3%A9", "handlerd"];
  assert.deepEqual(await sent(), ["GET", ...at, ""]);
  assert.deepEqual(await sent({ headers: { "x-own": "1" } }), ["GET", ...at, "1", ""]);
  const method = "PUT";
  assert.deepEqual(await sent({ method }), [method, ...at, "0", ""]);
  assert.deepEqual(await sent({ method, body: "é" }), [method, ...at, "text/plain;charset=UTF-8", "2", "é"]);
  assert.deepEqual(await sent({ method, body: utf8("ab") }), [method, ...at, "2", "ab"]);
  const blob = new Blob(["ab", "c"], { type: "text/x" });
  assert.deepEqual(await sent({ method, body: blob }), [method, ...at, "text/x", "3", "abc"]);
  const body = ReadableStream.from([utf8("a"), utf8(""), utf8("bc")]);
  assert.deepEqual(await sent({ method, body }), [method, ...at, "chunked", "abc"]);
  const large = new Uint8Array(3_000_000).fill(97);
  assert.equal((await sent({ method, body: large })).at(-1).length, large.length);
});

Deno.test("an answer comes with its status and all its headers", async () => {
  await using it = await served(() => {
    const headers = new Headers({ "x-own": "1" });
    for (const cookie of ["a=1", "b=2"]) headers.append("set-cookie", cookie);
    return new Response(null, { status: 204, headers });
  });
  const answer = await it.client.fetch(BASE);
  assert.deepEqual([answer.status, answer.ok, await answer.text()], [204, true, ""]);
  assert.deepEqual(answer.headers.getSetCookie(), ["a=1", "b=2"]);
  assert.equal((await it.client.fetch(BASE, { method: "HEAD" })).headers.get("x-own"), "1");
});

Deno.test("an answer is read while it is made, and given up when its reader leaves", async () => {
  const left = Promise.withResolvers<void>();
  await using it = await served(() =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(utf8("data: 1\n\n")),
        cancel: () => left.resolve(),
      }),
    )
  );
  const { body } = await it.client.fetch(BASE);
  for await (const piece of body!) {
    assert.deepEqual(piece, utf8("data: 1\n\n"));
    break;
  }
  await left.promise;
});

for (const when of ["before", "while its answer is made", "while its answer is read"]) {
  Deno.test(`a request is given up ${when}`, async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    await using it = await served(async () => {
      if (when === "while its answer is made") {
        controller.abort(reason);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return new Response(new ReadableStream({ start: (body) => body.enqueue(utf8("some")) }));
    });
    if (when === "before") controller.abort(reason);
    await assert.rejects(async () => {
      const answer = await it.client.fetch(BASE, { signal: controller.signal });
      setTimeout(() => controller.abort(reason), 10);
      await answer.text();
    }, reason);
  });
}

Deno.test("what fails in a body's source is thrown as it is, and the server never takes half a body for all", async () => {
  let taken = 0;
  await using it = await served(async (request) => {
    await request.text();
    taken++;
    return new Response();
  });
  const fault = new Error("no more to read");
  async function* broken() {
    yield await Promise.resolve(utf8("half"));
    throw fault;
  }
  const body = ReadableStream.from(broken());
  await assert.rejects(it.client.fetch(BASE, { method: "PUT", body }), fault);
  assert.equal(await text(it.client, "/", { method: "PUT", body: "x" }), "");
  assert.equal(taken, 1);
});

Deno.test("an answer counts that comes before all of the body is taken", async () => {
  await using it = await served(() => new Response("too much", { status: 413 }));
  const body = ReadableStream.from((async function* () {
    for (;;) yield await Promise.resolve(new Uint8Array(100_000));
  })());
  const answer = await it.client.fetch(BASE, { method: "PUT", body });
  assert.deepEqual([answer.status, await answer.text()], [413, "too much"]);
});

const ANSWER = utf8("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");

Deno.test("reading goes over a kept connection, and over a new one where the server has closed that", async () => {
  await using it = await raw(async (connection, count) => {
    const rounds = count === 1 ? 3 : 1;
    for (let round = 0; round < rounds; round++) {
      await connection.read(new Uint8Array(4096));
      await connection.write(ANSWER);
    }
  });
  for (const connections of [1, 1, 1, 2]) {
    assert.equal(await text(it.client, "/"), "ok");
    assert.equal(it.count(), connections);
  }
});

Deno.test("what changes something is sent once, on a connection of its own", async () => {
  let asked = 0;
  await using it = await raw(async (connection) => {
    asked++;
    await connection.read(new Uint8Array(4096));
  });
  const sent = it.client.fetch(BASE, { method: "POST", body: "x" });
  await assert.rejects(sent, { kind: "unreachable" });
  assert.equal(asked, 1);
});

Deno.test("an answer that breaks off is an error of its body", async () => {
  await using it = await raw(async (connection) => {
    await connection.read(new Uint8Array(4096));
    await connection.write(ANSWER.subarray(0, -1));
  });
  const answer = await it.client.fetch(BASE);
  await assert.rejects(answer.text(), /middle of an answer/);
});

Deno.test("where nobody listens, and after its end, a client says that nobody answers", async () => {
  using client = httpClientUnix("/nowhere/api.sock");
  await assert.rejects(
    client.fetch(BASE),
    (error) => error instanceof HandlerError && error.kind === "unreachable",
  );
  await using it = await served(() => new Response());
  it.client[Symbol.dispose]();
  await assert.rejects(it.client.fetch(BASE), { kind: "unreachable" });
});

Deno.test("the end of a client ends what is under way", async () => {
  await using it = await served(() =>
    new Response(new ReadableStream({ start: (body) => body.enqueue(utf8("a")) }))
  );
  const answer = await it.client.fetch(BASE);
  it.client[Symbol.dispose]();
  await assert.rejects(answer.text());
});
