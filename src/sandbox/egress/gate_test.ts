import assert from "node:assert/strict";
import { silentLogger, systemClock, utf8, utf8Text } from "../../base/mod.ts";
import { writeWhole } from "../../platform/mod.ts";
import type { EgressRecord, EgressRule } from "../spec.ts";
import { openLoopbackProxy } from "./loopback.ts";
import { openEgress } from "./sockets.ts";

/** Reads all that comes until the other side ends. */
async function readAll(from: Deno.Conn): Promise<string> {
  const parts: string[] = [];
  const buffer = new Uint8Array(1024);
  for (;;) {
    const count = await from.read(buffer).catch(() => null);
    if (count === null) return parts.join("");
    parts.push(utf8Text(buffer.subarray(0, count)));
  }
}

/** A server that answers only once the client has ended its direction, and egress that leads to it. */
async function world(rules: readonly EgressRule[], resolvesTo = "1.1.1.1") {
  const server = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serving = (async () => {
    for await (const client of server) {
      const said = await readAll(client);
      await writeWhole(client, utf8(`you said ${said}`));
      client.close();
    }
  })();
  const records: EgressRecord[] = [];
  const folder = await Deno.makeTempDir({ prefix: "eg-" });
  let open = 0;
  const ports = {
    clock: systemClock,
    log: silentLogger,
    overrides: {},
    resolve: () => Promise.resolve([resolvesTo]),
    connect: () => Deno.connect({ hostname: "127.0.0.1", port: server.addr.port }),
    onConnect: () => {
      open++;
      return () => open--;
    },
    onEgress: (record: EgressRecord) => records.push(record),
  };
  const egress = await openEgress({ sandbox: "s", folder: `${folder}/e`, rules, ports });
  return {
    records,
    ports,
    egress,
    openCount: () => open,
    dial: (name: string) => Deno.connect({ transport: "unix", path: `${folder}/e/${name}` }),
    async [Symbol.asyncDispose]() {
      await egress.close();
      server.close();
      await serving;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function settled(check: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !check(); tries++) await new Promise((done) => setTimeout(done, 5));
  assert.ok(check());
}

const rule: EgressRule = { host: "api.example.com", port: 443, namedLocal: false };

Deno.test("each direction ends for itself, and the connection is recorded with its bytes", async () => {
  await using made = await world([rule]);
  using near = await made.dial("0");
  await near.write(utf8("hello"));
  await near.closeWrite();
  assert.equal(await readAll(near), "you said hello");
  await settled(() => made.records.length === 1);
  const { sandbox, host, address, sentBytes, receivedBytes, error } = made.records[0]!;
  assert.deepEqual({ sandbox, host, address, sentBytes, receivedBytes, error }, {
    sandbox: "s",
    host: "api.example.com",
    address: "1.1.1.1",
    sentBytes: 5,
    receivedBytes: 14,
    error: undefined,
  });
  assert.equal(made.openCount(), 0);
});

Deno.test("a refused destination ends the connection and is recorded without an address", async () => {
  await using made = await world([rule], "10.0.0.1");
  using near = await made.dial("0");
  assert.equal(await readAll(near), "");
  await settled(() => made.records.length === 1);
  assert.equal(made.records[0]!.address, undefined);
  assert.match(made.records[0]!.error!, /10\.0\.0\.1 \(private\)/);
});

Deno.test("the proxy opens tunnels to what a rule admits and says why not to the rest", async () => {
  await using made = await world([{ ...rule, host: "*.example.com" }]);
  using admitted = await made.dial("proxy");
  await admitted.write(
    utf8("CONNECT api.example.com:443 HTTP/1.1\r\nHost: api.example.com:443\r\n\r\nearly"),
  );
  await admitted.closeWrite();
  assert.match(await readAll(admitted), /^HTTP\/1\.1 200 [^\r]+\r\n\r\nyou said early$/);
  for (const target of ["example.com:443", "api.example.com:80", "api.example.net:443"]) {
    using refused = await made.dial("proxy");
    await refused.write(utf8(`CONNECT ${target} HTTP/1.1\r\n\r\n`));
    assert.match(await readAll(refused), /^HTTP\/1\.1 403 .*no egress rule/s, target);
  }
  await settled(() => made.records.length === 4);
});

Deno.test("a plain request is handed on in the server's own form, without what was for the proxy", async () => {
  await using made = await world([{ ...rule, port: 80 }]);
  using near = await made.dial("proxy");
  const head =
    "GET http://api.example.com/a?b=c HTTP/1.1\r\nHost: evil\r\nProxy-Authorization: Basic eA==\r\nX-Own: 1\r\n";
  await near.write(utf8(`${head}\r\n`));
  await near.closeWrite();
  const said = await readAll(near);
  assert.equal(
    said,
    "you said GET /a?b=c HTTP/1.1\r\nHost: api.example.com\r\nConnection: close\r\nX-Own: 1\r\n\r\n",
  );
});

Deno.test("what is no request to a proxy is answered and not passed on", async () => {
  await using made = await world([rule]);
  for (
    const text of [
      "GET / HTTP/1.1\r\n\r\n",
      "nonsense\r\n\r\n",
      "CONNECT x HTTP/1.1\r\n\r\n",
      "x".repeat(20_000),
    ]
  ) {
    using near = await made.dial("proxy");
    await writeWhole(near, utf8(text)).catch(() => {});
    assert.match(await readAll(near), /^(HTTP\/1\.1 400 .*)?$/s);
  }
  assert.equal(made.records.length, 0);
});

Deno.test("the proxy on the host's loopback serves only who shows its credential", async () => {
  await using made = await world([rule]);
  const proxy = openLoopbackProxy({
    sandbox: "s",
    rules: [rule],
    ports: made.ports,
    port: 0,
    credential: "right",
  });
  const ask = async (header: string) => {
    using near = await Deno.connect({ hostname: "127.0.0.1", port: proxy.port });
    await near.write(utf8(`CONNECT api.example.com:443 HTTP/1.1\r\n${header}\r\n`));
    await near.closeWrite();
    return (await readAll(near)).slice(0, 12);
  };
  assert.equal(await ask(""), "HTTP/1.1 407");
  assert.equal(await ask(`Proxy-Authorization: Basic ${btoa("sandbox:wrong")}\r\n`), "HTTP/1.1 407");
  assert.equal(await ask(`Proxy-Authorization: Basic ${btoa("sandbox:right")}\r\n`), "HTTP/1.1 200");
  proxy.close();
});

Deno.test("closing ends open connections, and an empty list opens nothing", async () => {
  await using made = await world([rule]);
  using near = await made.dial("0");
  await near.write(utf8("half"));
  await settled(() => made.openCount() === 1);
  await made.egress.close();
  assert.equal(await readAll(near), "");
  await using none = await world([]);
  assert.deepEqual([none.egress.listens, none.egress.proxy], [[], undefined]);
});
