import assert from "node:assert/strict";
import { mapAtMost } from "./async.ts";

Deno.test("many items are worked on few at a time, their results in order", async () => {
  let now = 0, most = 0;
  const results = await mapAtMost(3, Array.from({ length: 10 }, (_, i) => i), async (item) => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, (10 - item) % 4));
    now--;
    return item * 2;
  });
  assert.equal(most, 3);
  assert.deepEqual(results, Array.from({ length: 10 }, (_, i) => i * 2));
  assert.deepEqual(await mapAtMost(3, [], () => Promise.reject(new Error("never"))), []);
});

Deno.test("what fails on one item fails the whole", async () => {
  const work = (item: number) => item === 2 ? Promise.reject(new Error("two")) : Promise.resolve(item);
  await assert.rejects(mapAtMost(2, [1, 2, 3, 4], work), /two/);
});

Deno.test("where one item fails no other is begun, and none is left under way", async () => {
  const begun: number[] = [], ended: number[] = [];
  const work = async (item: number) => {
    begun.push(item);
    await new Promise((resolve) => setTimeout(resolve, item));
    ended.push(item);
    if (item === 1) throw new Error("one failed");
  };
  await assert.rejects(mapAtMost(2, [1, 20, 3, 4], work), /one failed/);
  assert.deepEqual([begun, ended], [[1, 20], [1, 20]]);
});
