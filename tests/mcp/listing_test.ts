import assert from "node:assert/strict";
import type { SystemHome } from "../system/home.ts";
import { startMcpHome } from "./home.ts";

/** What a raw client gets from `handler-service` for these lines, line by line. */
async function exchange(
  home: SystemHome,
  service: string,
  lines: readonly unknown[],
): Promise<readonly string[]> {
  const child = home.spawn("handler-service", [service, "--agent", "desk"]);
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(lines.map((line) => JSON.stringify(line) + "\n").join("")));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim().split("\n");
}

const HANDSHAKE = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const CLIENT = { name: "raw", version: "1" };

/** The files as the listing must hold them: every byte, line breaks as spaces, since a line is a message. */
async function written(interfaceName: string): Promise<string> {
  const system = new URL(`../system/fixtures/interfaces/${interfaceName}/v1/tools.json`, import.meta.url);
  const own = new URL(`./fixtures/interfaces/${interfaceName}/v1/tools.json`, import.meta.url);
  const text = await Deno.readTextFile(system).catch(() => Deno.readTextFile(own));
  return text.trim().replaceAll("\n", " ");
}

for (const service of ["probe", "json"]) {
  Deno.test(`the listing of ${service} is tools.json byte for byte, in every revision of both eras`, async () => {
    await using home = await startMcpHome();
    const wanted = `"tools":${await written(service)}`;
    for (const protocolVersion of HANDSHAKE) {
      const [hello, listed] = await exchange(home, service, [
        {
          jsonrpc: "2.0",
          id: 0,
          method: "initialize",
          params: { protocolVersion, capabilities: {}, clientInfo: CLIENT },
        },
        { jsonrpc: "2.0", method: "notifications/initialized" },
        { jsonrpc: "2.0", id: "", method: "tools/list" },
      ]);
      assert.equal(JSON.parse(hello!).result.protocolVersion, protocolVersion);
      assert.equal(listed, `{"jsonrpc":"2.0","id":"","result":{${wanted}}}`);
    }
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": CLIENT,
    };
    const [discovered, listed] = await exchange(home, service, [
      { jsonrpc: "2.0", id: 1, method: "server/discover", params: { _meta } },
      { jsonrpc: "2.0", id: 2, method: "tools/list", params: { _meta } },
    ]);
    assert.deepEqual(JSON.parse(discovered!).result.supportedVersions, ["2026-07-28"]);
    assert.ok(
      listed!.startsWith(`{"jsonrpc":"2.0","id":2,"result":{${wanted},"resultType":"complete"`),
      listed,
    );
  });
}
