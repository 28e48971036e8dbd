import assert from "node:assert/strict";

const ROOT = new URL("../../", import.meta.url).pathname;
const PROGRAM = new URL("full_disk_program.ts", import.meta.url).pathname;

Deno.test("a disk that is full costs no call and damages nothing; records wait until there is room", async () => {
  const cache = JSON.parse(await text([Deno.execPath(), "info", "--json"])) as { denoDir: string };
  const disk = ["--size", String(2 * 1024 * 1024), "--tmpfs", "/mnt"];
  const inside = [Deno.execPath(), "run", "-A", "--no-check", PROGRAM, "/mnt"];
  const argv = [
    "bwrap",
    "--dev-bind",
    "/",
    "/",
    ...disk,
    "--chdir",
    ROOT,
    "--setenv",
    "DENO_DIR",
    cache.denoDir,
    "--",
  ];
  const found = JSON.parse(await text([...argv, ...inside]));
  assert.equal(found.flushedWhenFull, false);
  assert.match(found.trustError, /^unavailable: trusting notes\d+\/v1: the disk is full$/);
  assert.equal(found.flushedWithRoom, true);
  assert.equal(found.calls, 201);
  assert.deepEqual(found.lines, [
    "error records cannot be stored; calls go on, records wait",
    "info records are stored again",
  ]);
});

async function text([program = "", ...args]: readonly string[]): Promise<string> {
  const { stdout, stderr, success } = await new Deno.Command(program, { args: [...args] }).output();
  const decoder = new TextDecoder();
  assert.ok(success, decoder.decode(stderr));
  return decoder.decode(stdout);
}
