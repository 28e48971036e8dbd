/** What the text of a receipt says. Amounts are in hundredths. */
export interface ParsedReceipt {
  readonly shop: string | null;
  readonly currency: string | null;
  readonly lines: readonly { readonly label: string; readonly amount: number }[];
  readonly total: number | null;
  /** What the total has on top of the lines; null where nothing says so. */
  readonly tax: number | null;
}

interface Line {
  readonly label: string;
  readonly amount: number;
}

/** Ends in an amount: `-1.234,50`, `227.40 €`, `1.19 A`. */
const AMOUNT =
  /^(.*?)\s*([-−]?)\s*(?<![\d.,])(\d{1,3}(?:[.,']\d{3})+|\d+)[.,](\d{2})\s*(?:€|£|\$|EUR|GBP|USD|CHF)?\s*[A-Z*]?$/;

const TOTAL = /\b(?:total|summe|gesamt(?:betrag|summe)?|zu zahlen|amount due|balance due|endbetrag)\b/i;
const PART = /\b(?:sub\s*-?\s*total|net(?:to)?|zwischensumme|excl|before)\b/i;
const TAX = /\b(?:vat|tax|mwst|ust|mehrwertsteuer|tva|iva)\b/i;
const PAYMENT =
  /\b(?:cash|card|change|visa|mastercard|maestro|paid|bar|gegeben|rückgeld|ec-karte|girocard)\b/i;

const CURRENCIES: readonly (readonly [RegExp, string])[] = [
  [/€|\bEUR\b/, "EUR"],
  [/£|\bGBP\b/, "GBP"],
  [/\bCHF\b/, "CHF"],
  [/\$|\bUSD\b/, "USD"],
];

/** Reads the lines and the sum out of a receipt's text. What cannot be told is left out, never made up. */
export function parseReceipt(text: string): ParsedReceipt {
  const rows = text.split("\n").map((row) => row.trim()).filter((row) => row !== "");
  const amounts = rows.flatMap((row) => lineIn(row) ?? []);
  const end = lastIndex(amounts, isTotal);
  const before = end < 0 ? amounts : amounts.slice(0, end);
  const lines = before.filter(isNamed)
    .filter(({ label }) => ![TOTAL, PART, TAX, PAYMENT].some((kind) => kind.test(label)));
  const total = amounts[end]?.amount ?? null;
  return {
    shop: shopIn(rows),
    currency: CURRENCIES.find(([sign]) => sign.test(text))?.[1] ?? null,
    lines,
    total,
    tax: taxOnTop(amounts, lines, total),
  };
}

function lineIn(row: string): Line | undefined {
  const [, before, minus, whole, cents] = AMOUNT.exec(row) ?? [];
  if (before === undefined || whole === undefined) return undefined;
  const amount = Number(whole.replaceAll(/\D/g, "") + cents);
  return { label: labelIn(before), amount: minus ? -amount : amount };
}

/** Without the columns between what was bought and what it cost: `12 18.95` or `2 x 0,99`, leaders, a currency. */
function labelIn(text: string): string {
  return text
    .replace(/\s+\d+\s*[x×*]?\s*[€£$]?\d+[.,]\d{2}\s*[€£$]?$/, "")
    .replace(/(?:\s*(?:€|£|\$|EUR|GBP|USD|CHF))?[\s.:_-]*$/, "")
    .trim();
}

/** A row such as `2 x 0,99` says how the next one came about. */
function isNamed({ label }: Line): boolean {
  return /\p{L}{2}/u.test(label);
}

function isTotal({ label }: Line): boolean {
  return TOTAL.test(label) && !PART.test(label) && !TAX.test(label);
}

function lastIndex(lines: readonly Line[], fits: (line: Line) => boolean): number {
  return lines.reduce((last, line, index) => (fits(line) ? index : last), -1);
}

/** Tax counts where the lines are without it: only then do both together make the total. */
function taxOnTop(amounts: readonly Line[], lines: readonly Line[], total: number | null): number | null {
  const tax = amounts.find(({ label }) => TAX.test(label) && !isTotal({ label, amount: 0 }))?.amount;
  const sum = lines.reduce((sum, { amount }) => sum + amount, 0);
  return tax !== undefined && sum + tax === total ? tax : null;
}

/** The first row with some letters and no amount. */
function shopIn(rows: readonly string[]): string | null {
  return rows.find((row) => (row.match(/\p{L}/gu)?.length ?? 0) >= 3 && !AMOUNT.test(row)) ?? null;
}
