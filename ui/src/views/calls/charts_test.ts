import assert from "node:assert/strict";
import type { BindingStats } from "$client";
import { linesOf } from "./charts.ts";

Deno.test("providers stand side by side over the same moments, gaps and all", () => {
  const point = { at: 100, calls: 2, errors: 1, p50: 5, p95: 9 };
  const one = { binding: "a", points: [point] } as unknown as BindingStats;
  const none = { binding: "b", points: [] } as unknown as BindingStats;
  const lines = linesOf({ from: 0, to: 400, bindings: [one, none] }, 4);
  assert.deepEqual(lines.times, [0, 100, 200, 300]);
  assert.deepEqual(lines.p50.map(({ values }) => values), [[null, 5, null, null], [null, null, null, null]]);
  assert.deepEqual(lines.errors[0], { label: "a", values: [0, 1, 0, 0] });
});
