import assert from "node:assert/strict";
import { addsUp, hundredths, money } from "./money.ts";

Deno.test("amounts are written and read", () => {
  assert.equal(money(370, "GBP", "en-GB"), "£3.70");
  assert.equal(money(-5, null, "en-GB"), "-0.05");
  for (const [text, value] of [["3.70", 370], ["3,7", 370], [" 12 ", 1200], ["-0.05", -5]] as const) {
    assert.equal(hundredths(text), value);
  }
  for (const text of ["", "3.705", "1.234,50", "x"]) assert.equal(hundredths(text), undefined);
});

Deno.test("a receipt adds up, does not, or cannot be told", () => {
  const lines = [{ amount: 250 }, { amount: 120 }];
  assert.equal(addsUp({ lines, tax: null, total: 370 }), true);
  assert.equal(addsUp({ lines, tax: 74, total: 444 }), true);
  assert.equal(addsUp({ lines, tax: null, total: 400 }), false);
  assert.equal(addsUp({ lines: [], tax: null, total: 400 }), undefined);
  assert.equal(addsUp({ lines, tax: null, total: null }), undefined);
});
