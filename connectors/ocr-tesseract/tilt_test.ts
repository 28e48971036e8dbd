import assert from "node:assert/strict";
import { isTilted, tiltedPage } from "./tilt.ts";

Deno.test("only a slope that hurts is straightened", () => {
  assert.ok(!isTilted(0.0121));
  assert.ok(isTilted(0.0226));
  assert.ok(isTilted(-0.0644));
});

Deno.test("blocks of a straightened page stand where the crooked page has them", () => {
  // measured: the first line of the sample scan, turned by five degrees
  const page = {
    text: "",
    width: 1684,
    height: 2361,
    blocks: [{ text: "", bbox: [184, 149, 885, 192] as const }],
  };
  const [block] = tiltedPage(page, 0.0753).blocks;
  const expected = [108, 149, 811, 244];
  block?.bbox.forEach((value, side) =>
    assert.ok(Math.abs(value - (expected[side] ?? 0)) <= 2, `${block.bbox}`)
  );
});

Deno.test("a block at the edge stays on the page", () => {
  const page = { text: "", width: 100, height: 100, blocks: [{ text: "", bbox: [0, 0, 100, 5] as const }] };
  assert.deepEqual(tiltedPage(page, 0.2).blocks[0]?.bbox.map((value) => value >= 0 && value <= 100), [
    true,
    true,
    true,
    true,
  ]);
});
