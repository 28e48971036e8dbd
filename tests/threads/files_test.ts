import assert from "node:assert/strict";
import { handled } from "./definitions.ts";
import { Harness } from "./harness.ts";

/** Runs code as a handler's turn and gives what it kept under `seen`. */
async function run(body: string): Promise<unknown> {
  await using bench = await Harness.open({
    files: handled(`const seen = [];
      const tried = async (work) => { try { seen.push(await work()); } catch (error) { seen.push(error.message); } };
      ${body}
      await state.setValue("seen", seen);`),
  });
  const thread = await bench.create("it");
  await bench.send(thread, "go");
  await bench.idle();
  assert.equal(bench.turns(thread)[0]?.error ?? null, null);
  return JSON.parse(bench.store.value(thread, "seen") ?? "null");
}

Deno.test("a file is no folder: said in the thread's own words, on writing and on moving", async () => {
  const seen = await run(`
    await state.writeFile("/a", "x", "text/plain");
    await state.writeFile("/b", "x", "text/plain");
    await tried(() => state.writeFile("/a/b", "x", "text/plain"));
    await tried(() => state.moveFile("/b", "/a/b"));
    await tried(() => state.moveFile("/b", "/"));
    await tried(async () => (await state.findFiles("**/*")).paths);`);
  assert.deepEqual(seen, [
    "/a is a file of the thread",
    "/a is a file of the thread",
    "the thread has a file / already",
    ["/a", "/b"],
  ]);
});

Deno.test("moving and renaming give the file as it is then", async () => {
  const seen = await run(`
    await state.writeFile("/a.txt", "x", "text/plain");
    await tried(async () => (await state.moveFile("/a.txt", "/in/b.txt")).path);
    await tried(async () => (await state.renameFile("/in/b.txt", "c.txt")).path);`);
  assert.deepEqual(seen, ["/in/b.txt", "/in/c.txt"]);
});

Deno.test("bytes over the limit are refused before they are sent", async () => {
  const seen = await run(`
    await tried(() => state.writeFile("/a", new ArrayBuffer(33554433), "text/plain"));
    await tried(() => state.writeFile("/b", "x".repeat(33554433), "text/plain"));`) as string[];
  for (const text of seen) assert.match(text, /33554433 bytes.*at most 33554432/);
});
