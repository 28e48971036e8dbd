import assert from "node:assert/strict";
import { visit } from "../../ask.ts";
import type { BackendAttack } from "../attack.ts";

export const attack: BackendAttack = {
  from: "backend",
  what: "an answer with two lengths, and one with a length and pieces",
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
      : text.includes("/api/two") ? "HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nContent-Length: 5\\r\\n\\r\\nhello" : "HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n5\\r\\nhello\\r\\n0\\r\\n\\r\\n";
    await connection.write(Uint8Array.from(answer, (sign) => sign.charCodeAt(0)));
    connection.close();
  })().catch(() => {});
}
`,
  async attempt(desk) {
    const page = await visit(desk, "evil");
    for (const path of ["/api/two", "/api/pieces"]) {
      const answer = await page.ask({ path });
      assert.equal(answer.status, 503);
      assert.match(answer.text, /broke off its answer/);
    }
    assert.equal((await page.ask({})).status, 200);
  },
};
