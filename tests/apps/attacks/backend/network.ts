import assert from "node:assert/strict";
import { visit } from "../../ask.ts";
import { backend } from "../../small_app.ts";
import { hostAddress, openSink } from "../sink.ts";
import type { BackendAttack } from "../attack.ts";

export const attack: BackendAttack = {
  from: "backend",
  what: "a connection to the machine, its loopback, and a name",
  server: backend(`
  const { tcp, address } = Object.fromEntries(new URL(request.url).searchParams);
  const got = [];
  const attempt = async (what, work) => { try { await work(); got.push(what); } catch {} };
  for (const hostname of [address, "127.0.0.1", "localhost", "host.containers.internal", "10.0.2.2"]) {
    await attempt(hostname, async () => (await Deno.connect({ hostname, port: Number(tcp) })).close());
  }
  await attempt("fetch", () => fetch("http://" + address + ":" + tcp, { signal: AbortSignal.timeout(1000) }));
  await attempt("name", () => Deno.resolveDns("example.org", "A"));
  return Response.json(got);
`),
  async attempt(desk) {
    await using tcp = openSink();
    const address = hostAddress();
    const page = await visit(desk, "evil");
    const { text } = await page.ask({ path: `/api/x?tcp=${tcp.port}&address=${address}` });
    assert.deepEqual([JSON.parse(text), tcp.arrived], [[], []]);
  },
};
