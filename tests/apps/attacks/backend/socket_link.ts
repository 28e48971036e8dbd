import assert from "node:assert/strict";
import { visit } from "../../ask.ts";
import { backend } from "../../small_app.ts";
import type { BackendAttack } from "../attack.ts";

export const attack: BackendAttack = {
  from: "backend",
  what: "its own socket replaced by a link to another app's",
  server: backend(`
  const target = new URL(request.url).searchParams.get("target");
  if (target) {
    Deno.renameSync("/run/handler/app.sock", "/run/handler/own.sock");
    Deno.symlinkSync(target, "/run/handler/app.sock");
  }
  return new Response("evil");
`),
  async attempt(desk) {
    const victim = await visit(desk, "victim");
    await victim.ask({ method: "POST", path: "/api/notes", body: "private" });
    const own = new Set([...Deno.readDirSync(`${desk.folders.runtime}/a`)].map(({ name }) => name));
    const evil = await visit(desk, "evil");
    for (const name of own) {
      await evil.ask({ path: `/api/x?target=${desk.folders.runtime}/a/${name}/app.sock` });
      const answers = await Promise.all(Array.from({ length: 5 }, () => evil.ask({ path: "/api/notes" })));
      assert.deepEqual(new Set(answers.map(({ text }) => text)), new Set(["evil"]));
    }
    assert.deepEqual(JSON.parse((await victim.ask({ path: "/api/notes" })).text), ["private"]);
  },
};
