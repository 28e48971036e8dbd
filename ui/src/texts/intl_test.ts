import assert from "node:assert/strict";
import { formatter } from "./intl.ts";

Deno.test("a formatter is made once for a language, its kind and its options", () => {
  const two = { maximumFractionDigits: 2 };
  const one = formatter(Intl.NumberFormat, "en", two);
  assert.equal(one.format(1234.567), "1,234.57");
  assert.equal(formatter(Intl.NumberFormat, "en", { maximumFractionDigits: 2 }), one);
  assert.notEqual(formatter(Intl.NumberFormat, "de", two), one);
  assert.notEqual(formatter(Intl.NumberFormat, "en"), one);
  assert.equal(formatter(Intl.PluralRules, "en").select(1), "one");
});
