/** Hundredths as a person writes them: `£3.70`, `3,70 €`. */
export function money(hundredths: number, currency: string | null, locale?: string): string {
  const style = currency ? { style: "currency", currency } as const : { minimumFractionDigits: 2 };
  return (hundredths / 100).toLocaleString(locale, style);
}

/** What a person typed, in hundredths; undefined for what is no amount. */
export function hundredths(text: string): number | undefined {
  const [, sign, whole, cents = ""] = /^\s*(-?)(\d{1,9})(?:[.,](\d{1,2}))?\s*$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const value = Number(whole + cents.padEnd(2, "0"));
  return sign ? -value : value;
}

/** Whether the lines, and the tax on top of them, make the sum; undefined where that cannot be told. */
export function addsUp(
  { lines, tax, total }: {
    readonly lines: readonly { readonly amount: number }[];
    readonly tax: number | null;
    readonly total: number | null;
  },
): boolean | undefined {
  if (total === null || lines.length === 0) return undefined;
  return lines.reduce((sum, { amount }) => sum + amount, tax ?? 0) === total;
}
