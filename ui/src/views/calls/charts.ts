import type { CallPoint, CallStats } from "$client";

/** One provider's values over time. */
export interface Line {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

/** Lines for the plots, all over the same moments. */
export interface Lines {
  readonly times: readonly number[];
  readonly p50: readonly Line[];
  readonly p95: readonly Line[];
  readonly calls: readonly Line[];
  readonly errors: readonly Line[];
}

/** The points of all providers side by side; a moment without a call has no latency, and no calls. */
export function linesOf(
  { bindings, from, to }: Pick<CallStats, "bindings" | "from" | "to">,
  points: number,
): Lines {
  const step = (to - from) / points;
  const times = Array.from({ length: points }, (_, index) => Math.round(from + index * step));
  const line = (value: (point: CallPoint | undefined) => number | null) =>
    bindings.map(({ binding, points }) => ({
      label: binding,
      values: times.map((at) => value(points.find((point) => Math.abs(point.at - at) < step / 2))),
    }));
  return {
    times,
    p50: line((point) => point?.p50 ?? null),
    p95: line((point) => point?.p95 ?? null),
    calls: line((point) => point?.calls ?? 0),
    errors: line((point) => point?.errors ?? 0),
  };
}
