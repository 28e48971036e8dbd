import assert from "node:assert/strict";
import { visit } from "../../ask.ts";
import { backend } from "../../small_app.ts";
import type { BackendAttack } from "../attack.ts";

export const attack: BackendAttack = {
  from: "backend",
  what: "the socket and the data of another app",
  server: backend(`
  const { socket, data } = Object.fromEntries(new URL(request.url).searchParams);
  const got = [];
  const attempt = async (what, work) => { try { await work(); got.push(what); } catch {} };
  await attempt("socket", async () => (await Deno.connect({ transport: "unix", path: socket })).close());
  await attempt("data", () => Deno.readFile(data + "/notes.db"));
  await attempt("folder", () => Array.from(Deno.readDirSync(data)));
  await attempt("runtime", () => Array.from(Deno.readDirSync(socket.split("/a/")[0])));
  return Response.json([...got, ...Array.from(Deno.readDirSync("/run/handler"), ({ name }) => name).sort()]);
`),
  async attempt(desk) {
    const [victim, evil] = [await visit(desk, "victim"), await visit(desk, "evil")];
    await victim.ask({ method: "POST", path: "/api/notes", body: "private" });
    const sockets = [...Deno.readDirSync(`${desk.folders.runtime}/a`)].map(({ name }) => name);
    for (const name of sockets) {
      const socket = `${desk.folders.runtime}/a/${name}/app.sock`,
        data = `${desk.folders.data}/apps/victim/data`;
      const { text } = await evil.ask({ path: `/api/x?socket=${socket}&data=${data}` });
      assert.deepEqual(JSON.parse(text), ["app.sock", "services"]);
    }
  },
};
