import assert from "node:assert/strict";
import { rawAsk, statusesIn, visit } from "../../ask.ts";
import type { BackendAttack } from "../attack.ts";

export const attack: BackendAttack = {
  from: "backend",
  what: "a second answer behind the first, for whoever asks next",
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
      : "HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nhiHTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\nX-Evil: 1\\r\\n\\r\\nevil";
    await connection.write(Uint8Array.from(answer, (sign) => sign.charCodeAt(0)));
    connection.close();
  })().catch(() => {});
}
`,
  async attempt(desk) {
    const page = await visit(desk, "evil");
    const head = `Host: ${page.host}\r\nCookie: ${page.cookie}\r\n`;
    const got = await rawAsk(
      page.port,
      `GET /api/a HTTP/1.1\r\n${head}\r\nGET / HTTP/1.1\r\n${head}Connection: close\r\n\r\n`,
    );
    assert.deepEqual(statusesIn(got), [200, 200]);
    assert.doesNotMatch(got, /evil\r|X-Evil/);
    assert.match(got, /Small app/);
  },
};
