import type { CallStats } from "$client";

/** A week of calls in a few numbers. */
export interface Week {
  readonly calls: number;
  readonly errors: number;
  /** null where no provider says a price. */
  readonly cost: number | null;
  readonly currency: string;
  readonly days: readonly { readonly at: number; readonly calls: number }[];
}

/** Bars of a week. */
export const DAYS = 7;

/** Adds up all bindings. */
export function sumUp({ from, to, bindings, currency }: CallStats): Week {
  const sum = (of: (one: CallStats["bindings"][number]) => number) =>
    bindings.reduce((all, one) => all + of(one), 0);
  const priced = bindings.filter(({ cost }) => cost !== null);
  const days = new Map<number, number>();
  const step = (to - from) / DAYS;
  for (let day = 0; day < DAYS; day++) days.set(from + day * step, 0);
  for (const { at, calls } of bindings.flatMap(({ points }) => points)) {
    days.set(at, (days.get(at) ?? 0) + calls);
  }
  return {
    calls: sum(({ calls }) => calls),
    errors: sum(({ errors }) => errors),
    cost: priced.length === 0 ? null : sum(({ cost }) => cost ?? 0),
    currency,
    days: [...days].map(([at, calls]) => ({ at, calls })).toSorted((a, b) => a.at - b.at),
  };
}
