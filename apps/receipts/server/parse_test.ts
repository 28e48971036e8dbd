import assert from "node:assert/strict";
import { parseReceipt } from "./parse.ts";

Deno.test("a shop's receipt: lines, a discount, the sum; not what was paid", () => {
  const parsed = parseReceipt(`
    REWE City
    Hauptstraße 5, 10115 Berlin

    Vollmilch 3,5%            1,19 B
    Bananen   0,85 kg         1,69 B
    2 x 0,99
    Joghurt                   1,98 B
    Rabatt                   -0,20 B
    --------------------------------
    SUMME            EUR      4,66
    Bar                      10,00
    Rückgeld                  5,34
    MwSt B 7,0%               0,30`);
  assert.deepEqual(parsed, {
    shop: "REWE City",
    currency: "EUR",
    lines: [
      { label: "Vollmilch 3,5%", amount: 119 },
      { label: "Bananen   0,85 kg", amount: 169 },
      { label: "Joghurt", amount: 198 },
      { label: "Rabatt", amount: -20 },
    ],
    total: 466,
    tax: null,
  });
});

Deno.test("an invoice: columns are left out, tax on top is told", () => {
  const parsed = parseReceipt(`Harbour Lane Office Supplies Ltd
    Description Quantity Unit price Amount
    A4 copier paper, 80 gsm, box of 5 reams 12 18.95 227.40
    Laser toner cartridge, black, TN-2420 4 57.30 857.45
    Net total GBP 1,084.85
    VAT 20% 216.97
    Total due GBP 1,301.82
    IBAN: GB33 SEVN 3094 5741 7839 26`);
  assert.deepEqual(parsed.lines, [
    { label: "A4 copier paper, 80 gsm, box of 5 reams", amount: 22740 },
    { label: "Laser toner cartridge, black, TN-2420", amount: 85745 },
  ]);
  assert.deepEqual([parsed.currency, parsed.tax, parsed.total], ["GBP", 21697, 130182]);
});

Deno.test("thousands and leaders in every writing", () => {
  for (
    const [text, amount] of [
      ["Lamp .......... 1.234,50", 123450],
      ["Lamp 1,234.50 USD", 123450],
      ["Lamp 1'234.50 CHF", 123450],
      ["Lamp: 12.00", 1200],
      ["Lamp − 3,00 €", -300],
    ] as const
  ) {
    assert.deepEqual(parseReceipt(text).lines, [{ label: "Lamp", amount }], text);
  }
});

Deno.test("what is not there is not made up", () => {
  const nothing = { shop: null, currency: null, lines: [], total: null, tax: null };
  assert.deepEqual(parseReceipt(""), nothing);
  assert.deepEqual(parseReceipt("12:34\n--"), nothing);
  assert.equal(parseReceipt("Tea 2.00\nSubtotal 2.00").total, null);
});
