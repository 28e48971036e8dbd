import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { headerRecord } from "./raw_headers.ts";

Deno.test("headers by name: the first spelling counts, a name that stands twice has a list", () => {
  assert.deepEqual(headerRecord([["Host", "a"], ["X-One", "1"], ["x-one", "2"], ["x-One", "3"]]), {
    Host: "a",
    "X-One": ["1", "2", "3"],
  });
});

Deno.test("what is given by name arrives on every Deno", async () => {
  const { promise, resolve } = Promise.withResolvers<string | string[] | undefined>();
  const server = createServer((incoming, outgoing) => {
    resolve(incoming.headers["x-handler-person"]);
    outgoing.end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as { port: number };
  await new Promise<void>((done, reject) => {
    const asked = request(
      { host: "127.0.0.1", port, agent: false, headers: headerRecord([["X-Handler-Person", "owner"]]) },
      (answer) => answer.resume().on("end", done),
    );
    asked.on("error", reject);
    asked.end();
  });
  assert.equal(await promise, "owner");
  await new Promise((closed) => server.close(closed));
});
