import assert from "node:assert/strict";
import { merged, within } from "./window.ts";

const row = (seq: number, text = "") => ({ id: `m${seq}`, seq, text });

Deno.test("parts of a list are one list, in the order of their places", () => {
  const part = [row(3), row(4)];
  assert.deepEqual(merged(part, []), part);
  assert.deepEqual(merged([], [row(2), row(1)]).map(({ seq }) => seq), [1, 2]);
  assert.deepEqual(merged(part, [row(2), row(1)]).map(({ seq }) => seq), [1, 2, 3, 4]);
  assert.deepEqual(merged(part, [row(6), row(5)]).map(({ seq }) => seq), [3, 4, 5, 6]);
  assert.deepEqual(merged(part, [row(5), row(5, "new")]).at(-1), row(5, "new"));
  assert.equal(merged(part, [row(5), row(5, "new")]).length, 3);
  assert.deepEqual(merged([row(1), row(4)], [row(4, "new"), row(3)]), [row(1), row(3), row(4, "new")]);
});

Deno.test("a change outside the part at hand is left for later, unless that end is there", () => {
  const part = [row(3), row(5)], changed = [row(1), row(3), row(4), row(9)];
  const places = (first: boolean, last: boolean) =>
    within(part, changed, { first, last }).map(({ seq }) => seq).join();
  assert.equal(places(false, false), "3,4");
  assert.equal(places(true, false), "1,3,4");
  assert.equal(places(false, true), "3,4,9");
  assert.deepEqual(within([], changed, { first: true, last: true }), changed);
});
