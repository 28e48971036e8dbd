import type { Parts } from "../assemble.ts";

/** Fractions of a price are added up as they are; what is shown has no more places than a price can have. */
const PLACES = 15;

/** What so many units of a binding cost, in the currency of the configuration; null where the binding says no prices. */
export function costOf(
  { configuration }: Pick<Parts, "configuration">,
  binding: string,
  units: Readonly<Record<string, number>>,
): number | null {
  const prices = configuration.current().bindings.get(binding)?.prices ?? {};
  if (Object.keys(prices).length === 0) return null;
  const sum = Object.entries(units).reduce((cost, [unit, count]) => cost + count * (prices[unit] ?? 0), 0);
  return Number(sum.toPrecision(PLACES));
}
