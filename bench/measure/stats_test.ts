import assert from "node:assert/strict";
import { median, quantile, rounded } from "./stats.ts";

Deno.test("the median of an even count lies between the two in the middle", () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(median([3, 1, 2]), 2);
  assert.ok(Number.isNaN(median([])));
});

Deno.test("a quantile is a value of the list", () => {
  const values = Array.from({ length: 100 }, (_, at) => 100 - at);
  assert.equal(quantile(values, 0.99), 100);
  assert.equal(quantile(values, 0.5), 51);
  assert.equal(quantile(values, 1), 100);
});

Deno.test("figures keep three or four digits", () => {
  assert.equal(rounded(1.23456), 1.23);
  assert.equal(rounded(1234.56), 1235);
  assert.equal(rounded(-0.0123456), -0.0123);
});
