import { delay } from "../base/mod.ts";
import type { Database } from "../platform/mod.ts";
import { storing } from "./failure.ts";
import { number, parsed, text } from "./rows.ts";

/** A time, from `from` on and before `to` in milliseconds since 1970, cut into so many points. */
export interface CallSpan {
  readonly from: number;
  readonly to: number;
  readonly points: number;
  /** Leaves out the others. */
  readonly binding?: string;
}

/** One piece of the time. Durations in milliseconds; null where there was no call. */
export interface CallPoint {
  /** When it begins. */
  readonly at: number;
  readonly calls: number;
  readonly errors: number;
  readonly p50: number | null;
  readonly p95: number | null;
}

/** What one binding did in a time. */
export interface CallTally extends Omit<CallPoint, "at"> {
  readonly binding: string;
  /** The sum of what was counted, by unit. */
  readonly units: Readonly<Record<string, number>>;
  readonly points: readonly CallPoint[];
}

const QUERY = `SELECT binding, total_ms, error IS NOT NULL AS failed, units FROM calls
  WHERE started_at >= ?1 AND started_at < ?2 AND binding <> '' AND (?3 IS NULL OR binding = ?3)`;

/** Adds up the calls of a time, a point at a time, with room for other work between. */
export async function tallyCalls(db: Database, span: CallSpan): Promise<readonly CallTally[]> {
  const { from, to, points, binding = null } = span;
  const edges = Array.from({ length: points + 1 }, (_, i) => Math.round(from + (to - from) * i / points));
  const tallies = new Map<string, Tally>();
  let rested = performance.now();
  for (const [index, at] of edges.slice(0, -1).entries()) {
    const rows = storing("adding up calls", () => db.all(QUERY, at, edges[index + 1]!, binding));
    for (const row of rows) {
      const name = text(row, "binding");
      let tally = tallies.get(name);
      if (!tally) tallies.set(name, tally = new Tally(edges.slice(0, -1)));
      tally.add(index, number(row, "total_ms"), number(row, "failed") === 1, row.units as string);
    }
    if (performance.now() - rested < SLICE_MS) continue;
    await delay(0);
    rested = performance.now();
  }
  return [...tallies].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, tally]) => tally.result(name));
}

/** How long other work waits at most, unless one point alone takes longer. */
const SLICE_MS = 10;

/** The calls of one binding while they are added up. */
class Tally {
  readonly #times: readonly number[];
  readonly #durations: number[][];
  readonly #errors: number[];
  /** How often each text of units stood there: most calls count the same. */
  readonly #units = new Map<string, number>();

  constructor(times: readonly number[]) {
    this.#times = times;
    this.#durations = times.map(() => []);
    this.#errors = times.map(() => 0);
  }

  add(point: number, ms: number, failed: boolean, units: string): void {
    this.#durations[point]!.push(ms);
    if (failed) this.#errors[point]!++;
    this.#units.set(units, (this.#units.get(units) ?? 0) + 1);
  }

  result(binding: string): CallTally {
    const points = this.#times.map((at, i) => ({ at, ...measured(this.#durations[i]!, this.#errors[i]!) }));
    const errors = this.#errors.reduce((sum, one) => sum + one, 0);
    return { binding, ...measured(this.#durations.flat(), errors), units: this.#counted(), points };
  }

  #counted(): Record<string, number> {
    const sums: Record<string, number> = {};
    for (const [units, times] of this.#units) {
      for (const [unit, count] of Object.entries(parsed<Record<string, number>>({ units }, "units"))) {
        sums[unit] = (sums[unit] ?? 0) + count * times;
      }
    }
    return sums;
  }
}

function measured(durations: readonly number[], errors: number) {
  const sorted = Float64Array.from(durations).sort();
  return { calls: sorted.length, errors, p50: percentile(sorted, 50), p95: percentile(sorted, 95) };
}

/** The smallest duration that so many of a hundred calls did not exceed. */
function percentile(sorted: Float64Array, of100: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * of100 / 100) - 1)] ?? null;
}
