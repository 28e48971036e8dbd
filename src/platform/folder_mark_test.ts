import assert from "node:assert/strict";
import { folderMark } from "./folder_mark.ts";

Deno.test("a folder's mark changes with what lies in it, and with nothing else", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const look = () => folderMark(folder, ["aside"]);
    Deno.mkdirSync(`${folder}/a/b`, { recursive: true });
    Deno.mkdirSync(`${folder}/aside`);
    Deno.writeTextFileSync(`${folder}/a/b/f.ts`, "1");
    const marks = [look()];
    assert.equal(look(), marks[0]);
    Deno.writeTextFileSync(`${folder}/aside/x`, "1");
    assert.equal(look(), marks[0]);
    for (
      const change of [
        () => Deno.writeTextFileSync(`${folder}/a/b/f.ts`, "12"),
        () => Deno.writeTextFileSync(`${folder}/a/g.ts`, ""),
        () => Deno.renameSync(`${folder}/a/g.ts`, `${folder}/a/h.ts`),
        () => Deno.removeSync(`${folder}/a/h.ts`),
        () => Deno.symlinkSync("f.ts", `${folder}/a/b/l.ts`),
      ]
    ) {
      change();
      marks.push(look());
    }
    assert.equal(new Set(marks).size, marks.length);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("no folder, a file and a link to a folder have no mark", async () => {
  const folder = await Deno.makeTempDir();
  try {
    Deno.writeTextFileSync(`${folder}/f`, "");
    Deno.symlinkSync("/tmp", `${folder}/l`);
    for (const name of ["none", "f", "l"]) assert.equal(folderMark(`${folder}/${name}`, []), undefined);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
