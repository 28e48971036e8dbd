import assert from "node:assert/strict";
import { programTarget } from "./program_file.ts";

async function target(bytes: readonly number[]) {
  const file = await Deno.makeTempFile();
  await Deno.writeFile(file, new Uint8Array(bytes));
  const found = await programTarget(file);
  await Deno.remove(file);
  return found;
}

const ELF = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, ...Array(9).fill(0), 2, 0];

Deno.test("a program file says for what it is", async () => {
  assert.deepEqual(await programTarget(Deno.execPath()), { os: Deno.build.os, arch: Deno.build.arch });
  assert.deepEqual(await target([...ELF, 0xb7, 0, 0, 0]), { os: "linux", arch: "aarch64" });
  assert.deepEqual(await target([...ELF, 0x3e, 0, 0, 0]), { os: "linux", arch: "x86_64" });
  assert.deepEqual(await target([...ELF, 0x99, 0x99, 0, 0]), { os: "linux", arch: "another processor" });
  const mach = [0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 1, ...Array(16).fill(0)];
  assert.deepEqual(await target(mach), { os: "darwin", arch: "aarch64" });
  assert.equal(await target([...new TextEncoder().encode("#!/bin/sh\necho a script\n")]), undefined);
  assert.equal(await target([0x7f, 0x45]), undefined);
});
