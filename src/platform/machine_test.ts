import assert from "node:assert/strict";
import { canWriteIn, freeBytes, openFileLimit, portHolder, tryPort } from "./machine.ts";

Deno.test("a port is free or taken, and its holder can be found", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  assert.equal(tryPort("127.0.0.1", port), "taken");
  if (Deno.build.os === "linux") assert.equal((await portHolder(port))?.pid, Deno.pid);
  listener.close();
  assert.equal(tryPort("127.0.0.1", port), "free");
  assert.equal(await portHolder(port), undefined);
});

Deno.test("a folder says how much room it has, and whether it can be written in", async () => {
  const folder = await Deno.makeTempDir();
  assert.ok((await freeBytes(folder) ?? 0) > 0);
  assert.equal(await freeBytes(`${folder}/missing`), undefined);
  assert.equal(await canWriteIn(folder), true);
  assert.equal(await canWriteIn(`${folder}/missing`), false);
  assert.deepEqual([...Deno.readDirSync(folder)], []);
  await Deno.remove(folder);
});

Deno.test("the limit of open files is a number", async () => {
  assert.ok((await openFileLimit() ?? 0) > 16);
});
