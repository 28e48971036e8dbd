import assert from "node:assert/strict";
import { folderOperation } from "./folder.ts";

Deno.test("a folder shows folders, then files, a link as what it leads to, nothing hidden", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  for (const name of ["b", "a", ".hidden"]) await Deno.mkdir(`${root}/${name}`);
  await Deno.writeTextFile(`${root}/0.txt`, "");
  await Deno.symlink(`${root}/a`, `${root}/link`);
  await Deno.symlink(`${root}/none`, `${root}/dangling`);
  const { folder } = folderOperation();
  const { path, above, entries } = await folder(`${root}/a/../`);
  assert.deepEqual([path, above], [root, root.slice(0, root.lastIndexOf("/"))]);
  assert.deepEqual(entries.map(({ name, kind }) => `${kind} ${name}`), [
    "folder a",
    "folder b",
    "folder link",
    "file 0.txt",
  ]);
  assert.equal((await folder("/")).above, null);
  await assert.rejects(folder(`${root}/0.txt`), { kind: "not_found" });
  await assert.rejects(folder(`${root}/none`), { kind: "not_found" });
  await assert.rejects(folder("a"), { kind: "usage" });
  await Deno.remove(root, { recursive: true });
});
