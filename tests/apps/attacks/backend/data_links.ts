import assert from "node:assert/strict";
import { visit } from "../../ask.ts";
import { notes } from "../../small_app.ts";
import type { BackendAttack } from "../attack.ts";

export const attack: BackendAttack = {
  from: "backend",
  what: "links in its data to files of the person's, also beside a database",
  server: notes(
    "",
    `
  if (pathname === "/api/plant") {
    const { name, target } = Object.fromEntries(new URL(request.url).searchParams);
    db.close();
    const path = Deno.env.get("HANDLER_APP_DATA") + "/" + name;
    try { Deno.removeSync(path); } catch {}
    Deno.symlinkSync(target, path);
    return new Response("planted");
  }
`,
  ),
  async attempt(desk) {
    const victim = `${desk.root}/victim`;
    await Deno.writeTextFile(victim, "precious");
    const page = await visit(desk, "evil");
    for (const name of ["link", "notes.db-wal", "notes.db-shm", "notes.db-journal", "notes.db"]) {
      await page.ask({ path: `/api/plant?name=${name}&target=${victim}` });
      await desk.apps.stop("evil");
      const to = `${desk.root}/copy-${name}`;
      await assert.rejects(
        desk.apps.backup("evil", to),
        new RegExp(`${name} cannot be copied: it is a link`),
      );
      await assert.rejects(desk.deploy("evil"), /cannot be copied: it is a link/);
      await assert.rejects(Deno.lstat(to));
      assert.equal(await Deno.readTextFile(victim), "precious");
      await Deno.remove(`${desk.folders.data}/apps/evil/data/${name}`);
    }
  },
};
