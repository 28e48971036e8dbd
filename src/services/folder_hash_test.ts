import assert from "node:assert/strict";
import { folderHash } from "./folder_hash.ts";

async function sample(): Promise<string> {
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/b`);
  await Deno.writeTextFile(`${folder}/b/two.txt`, "two\n");
  await Deno.writeTextFile(`${folder}/b.txt`, "dot sorts before slash\n");
  await Deno.writeTextFile(`${folder}/é.txt`, "accents\n");
  await Deno.writeTextFile(`${folder}/Z.txt`, "capitals first\n");
  return folder;
}

Deno.test("the hash is what sha256sum gives over the sorted listing", async () => {
  const folder = await sample();
  const command = "find . -type f -printf '%P\\n' | LC_ALL=C sort | xargs -d '\\n' sha256sum | sha256sum";
  const shell = await new Deno.Command("sh", { args: ["-c", command], cwd: folder }).output();
  assert.equal(await folderHash(folder), new TextDecoder().decode(shell.stdout).split(" ")[0]);
});

Deno.test("one changed byte, one renamed file, one more file: another hash each time", async () => {
  const folder = await sample();
  const hashes = [await folderHash(folder)];
  await Deno.writeTextFile(`${folder}/b/two.txt`, "twO\n");
  hashes.push(await folderHash(folder));
  await Deno.rename(`${folder}/b/two.txt`, `${folder}/b/three.txt`);
  hashes.push(await folderHash(folder));
  await Deno.writeTextFile(`${folder}/empty`, "");
  hashes.push(await folderHash(folder));
  assert.equal(new Set(hashes).size, 4);
});

Deno.test("modes, times and folders left out do not count", async () => {
  const folder = await sample();
  const before = await folderHash(folder);
  await Deno.chmod(`${folder}/Z.txt`, 0o600);
  await Deno.utime(`${folder}/Z.txt`, 1, 1);
  await Deno.mkdir(`${folder}/node_modules/x`, { recursive: true });
  await Deno.writeTextFile(`${folder}/node_modules/x/y.js`, "");
  assert.equal(await folderHash(folder, { leaveOut: ["node_modules"] }), before);
});

Deno.test("a link cannot be hashed", async () => {
  const folder = await sample();
  await Deno.symlink("/etc/hostname", `${folder}/link`);
  await assert.rejects(folderHash(folder), /regular files with plain names alone, found a link/);
});
