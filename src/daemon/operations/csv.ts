/** What a spreadsheet would take for a formula where a text begins with it. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A line of comma-separated values (RFC 4180). A text that a spreadsheet would run gets an apostrophe in front, which
 * spreadsheets do not show.
 */
export function csvLine(values: readonly (string | number | null)[]): string {
  return values.map(cell).join(",") + "\r\n";
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
