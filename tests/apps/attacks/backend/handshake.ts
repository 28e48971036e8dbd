import assert from "node:assert/strict";
import { rawAsk, statusesIn, visit } from "../../ask.ts";
import type { BackendAttack } from "../attack.ts";

export const attack: BackendAttack = {
  from: "backend",
  what: "a handshake that sets a cookie and brings a page",
  server: `
const listener = Deno.listen({ transport: "unix", path: Deno.env.get("HANDLER_APP_SOCKET") });
for await (const connection of listener) {
  (async () => {
    const buffer = new Uint8Array(65536);
    let text = "";
    while (!text.includes("\\r\\n\\r\\n")) {
      const count = await connection.read(buffer);
      if (count === null) return;
      text += new TextDecoder("latin1").decode(buffer.subarray(0, count));
    }
    const answer = text.includes("/api/health") ? "HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\nConnection: close\\r\\n\\r\\n"
      : text.includes("/api/no") ? "HTTP/1.1 200 OK\\r\\nSet-Cookie: evil=1; Domain=localhost\\r\\nContent-Length: 4\\r\\n\\r\\nevil" : "HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSet-Cookie: evil=1\\r\\nSec-WebSocket-Accept: x\\r\\nClear-Site-Data: *\\r\\n\\r\\n";
    await connection.write(Uint8Array.from(answer, (sign) => sign.charCodeAt(0)));
    connection.close();
  })().catch(() => {});
}
`,
  async attempt(desk) {
    const page = await visit(desk, "evil");
    for (const [path, status] of [["/api/no", 502], ["/api/yes", 101]] as const) {
      const got = await rawAsk(
        page.port,
        `GET ${path} HTTP/1.1\r\nHost: ${page.host}\r\nCookie: ${page.cookie}\r\nOrigin: ${page.origin}\r\n` +
          "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n",
      );
      assert.deepEqual(statusesIn(got), [status]);
      assert.doesNotMatch(got, /cookie|clear-site-data|evil/i);
    }
  },
};
