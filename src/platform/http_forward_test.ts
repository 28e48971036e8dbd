import assert from "node:assert/strict";
import { Connections } from "./connections.ts";
import { serveFront } from "./http_front.ts";

/** A server on a unix socket that answers with what it was asked. */
function echo(path: string): Deno.HttpServer<Deno.UnixAddr> {
  return Deno.serve({ path, onListen() {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers({ "x-seen": request.headers.get("x-handler-person") ?? "nobody" });
    for (const cookie of ["a=1", "b=2"]) headers.append("set-cookie", cookie);
    return new Response(`${request.method} ${pathname}${search} ${await request.text()}`, { headers });
  });
}

for (const method of ["GET", "POST"]) {
  Deno.test(`${method}: the headers arrive both ways as they were given, on every Deno`, async () => {
    const folder = await Deno.makeTempDir();
    const backend = echo(`${folder}/app.sock`);
    const connections = new Connections();
    const front = await serveFront(0, {
      request: (request, response) =>
        response.forward({
          socket: `${folder}/app.sock`,
          path: request.target,
          connections,
          headers: [...request.headers, ["X-Handler-Person", "alice"]],
          answer: (_, headers) => [...headers, ["X-Frame-Options", "DENY"]],
        }),
      upgrade: () => Promise.resolve({ refuse: 501 }),
    });
    try {
      const answer = await fetch(`http://127.0.0.1:${front.port}/api/x?y=1`, {
        method,
        ...method === "POST" && { body: "hello" },
      });
      assert.equal(await answer.text(), `${method} /api/x?y=1 ${method === "POST" ? "hello" : ""}`);
      assert.equal(answer.headers.get("x-seen"), "alice");
      assert.equal(answer.headers.get("x-frame-options"), "DENY");
      assert.deepEqual(answer.headers.getSetCookie(), ["a=1", "b=2"]);
    } finally {
      connections[Symbol.dispose]();
      await front.stop();
      await backend.shutdown();
      await Deno.remove(folder, { recursive: true });
    }
  });
}
