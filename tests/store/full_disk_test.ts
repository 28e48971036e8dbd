import assert from "node:assert/strict";

const ROOT = new URL("../../", import.meta.url).pathname;

Deno.test("a disk that is full costs no call and damages nothing; records wait until there is room", async () => {
  const found = await onSmallDisk("full_disk_program.ts");
  assert.equal(found.flushedWhenFull, false);
  assert.match(found.trustError, /^unavailable: trusting notes\d+\/v1: the disk is full$/);
  assert.equal(found.flushedWithRoom, true);
  assert.equal(found.calls, 201);
  assert.deepEqual(found.lines, [
    "error records cannot be stored; calls go on, records wait",
    "info records are stored again",
  ]);
});

Deno.test("a full disk refuses messages of threads in words, keeps those it took, and takes more once there is room", async () => {
  const found = await onSmallDisk("threads_full_disk_program.ts");
  assert.deepEqual(found.failures, ["unavailable: storing threads: the disk is full"]);
  assert.deepEqual(found.whenFull.stored, found.whenFull.acknowledged);
  assert.equal(found.acknowledged, found.whenFull.acknowledged + 10);
  assert.equal(found.stored, found.acknowledged);
  assert.deepEqual(found.lines, ["error threads cannot be stored", "info threads are stored again"]);
});

/** Runs a program beside this file with a folder of 2 MB, and gives the JSON that it prints. */
async function onSmallDisk(program: string) {
  const cache = JSON.parse(await text([Deno.execPath(), "info", "--json"])) as { denoDir: string };
  const disk = ["--size", String(2 * 1024 * 1024), "--tmpfs", "/mnt"];
  const path = new URL(program, import.meta.url).pathname;
  const inside = [Deno.execPath(), "run", "-A", "--no-check", path, "/mnt"];
  const settings = ["--chdir", ROOT, "--setenv", "DENO_DIR", cache.denoDir];
  return JSON.parse(await text(["bwrap", "--dev-bind", "/", "/", ...disk, ...settings, "--", ...inside]));
}

async function text([program = "", ...args]: readonly string[]): Promise<string> {
  const { stdout, stderr, success } = await new Deno.Command(program, { args: [...args] }).output();
  const decoder = new TextDecoder();
  assert.ok(success, decoder.decode(stderr));
  return decoder.decode(stdout);
}
