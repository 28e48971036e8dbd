import assert from "node:assert/strict";
import { handled } from "./definitions.ts";
import { Harness } from "./harness.ts";

/** The revisions of the changes that a watcher is shown at once. */
async function shown(bench: Harness, thread: string, after: number): Promise<readonly number[]> {
  const revisions: number[] = [];
  for await (const event of bench.threads.watch(thread, after, new AbortController().signal)) {
    if (event.event === "thread") break;
    if (event.event === "change") revisions.push(event.id);
  }
  return revisions;
}

Deno.test("a watcher goes on behind the last revision that it has seen; one that was never given out counts for nothing", async () => {
  await using bench = await Harness.open({
    files: handled(`await state.injectMessage({ role: "assistant", content: "hello" });`),
  });
  const thread = await bench.create("it");
  await bench.send(thread, "go");
  await bench.idle();
  const all = await shown(bench, thread, 0);
  assert.deepEqual(await shown(bench, thread, all[0]!), all.slice(1));
  assert.deepEqual(await shown(bench, thread, all.at(-1)!), []);
  assert.deepEqual(await shown(bench, thread, 1_000_000), all);
});
