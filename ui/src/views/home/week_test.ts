import assert from "node:assert/strict";
import type { BindingStats } from "$client";
import { sumUp } from "./week.ts";

const DAY = 86_400_000;

function stats(binding: string, calls: number, errors: number, cost: number | null): BindingStats {
  const points = [{ at: DAY, calls, errors, p50: 1, p95: 2 }];
  return { binding, calls, errors, p50: 1, p95: 2, units: {}, cost, points };
}

Deno.test("a week has seven days, those without a call too", () => {
  const week = sumUp({
    from: 0,
    to: 7 * DAY,
    currency: "EUR",
    hosts: [],
    bindings: [stats("a", 3, 1, null)],
  });
  assert.deepEqual(week.days.map(({ calls }) => calls), [0, 3, 0, 0, 0, 0, 0]);
  assert.deepEqual([week.calls, week.errors, week.cost], [3, 1, null]);
});

Deno.test("what has a price is added up, the rest costs nothing that is known", () => {
  const bindings = [stats("a", 1, 0, 0.5), stats("b", 1, 0, null), stats("c", 1, 0, 0.25)];
  assert.equal(sumUp({ from: 0, to: 7 * DAY, currency: "EUR", hosts: [], bindings }).cost, 0.75);
});
