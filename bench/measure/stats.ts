/** The value below which a share `q` of the list lies; NaN of an empty list. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}

/** The middle value; of an even count the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (Number.isInteger(middle)) return ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
  return sorted[Math.floor(middle)] ?? NaN;
}

/** As many digits as such a figure is worth. */
export function rounded(value: number): number {
  return Number(value.toPrecision(Math.abs(value) >= 100 ? 4 : 3));
}
