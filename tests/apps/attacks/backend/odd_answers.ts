import assert from "node:assert/strict";
import { visit } from "../../ask.ts";
import type { BackendAttack } from "../attack.ts";

export const attack: BackendAttack = {
  from: "backend",
  what: "answers that no server gives: handlerd goes on",
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
      : ({ status: "HTTP/1.1 099 X\\r\\n\\r\\n", name: "garbage\\r\\n\\r\\n", early: "HTTP/1.1 101 X\\r\\nUpgrade: x\\r\\nConnection: upgrade\\r\\n\\r\\nraw",
          line: "HTTP/1.1 200 OK\\r\\nX: a\\rSet-Cookie: b=c\\r\\n\\r\\n", cut: "HTTP/1.1 200 OK\\r\\nContent-Length: 99\\r\\n\\r\\nhi", none: "",
          hint: "HTTP/1.1 103 Early Hints\\r\\nLink: <http://evil.example>; rel=preload\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n",
          large: "HTTP/1.1 200 OK\\r\\nX: " + "y".repeat(2000000) + "\\r\\n\\r\\n" })[text.split(" ")[1].slice(5)];
    await connection.write(Uint8Array.from(answer, (sign) => sign.charCodeAt(0)));
    connection.close();
  })().catch(() => {});
}
`,
  async attempt(desk) {
    const page = await visit(desk, "evil");
    for (const path of ["status", "name", "early", "line", "none", "large"]) {
      assert.equal((await page.ask({ path: `/api/${path}` })).status, 503, path);
    }
    await assert.rejects(page.ask({ path: "/api/cut" }), "what is cut off is not taken for whole");
    const { headers, status } = await page.ask({ path: "/api/hint" });
    assert.deepEqual([status, headers.link], [200, undefined]);
    assert.equal((await page.ask({})).status, 200);
  },
};
