import type { Row } from "../report.ts";

/** A row without the bench's name. */
export type Figure = Omit<Row, "bench">;

/** Every row of the threads' bench: its unit, and what it has to reach. */
export const ROWS = {
  "turn-p50": { unit: "ms", goal: "≤ 2 × bare transactions" },
  "turn-p50-peer": { unit: "ms", goal: "≤ ⅓ of the best peer" },
  "turns-100": { unit: "1/s", goal: "≥ 0.4 × bare group commit" },
  "turns-100-peer": { unit: "1/s", goal: "≥ 10 × the best peer" },
  "first-turn": { unit: "ms", goal: "≤ 100 ms" },
  "long-open": { unit: "ms", goal: "≤ 50 ms" },
  "long-turn": { unit: "ms", goal: "as in a short thread" },
  "idle-memory": { unit: "bytes", goal: "≤ 1024 each, no process" },
} as const satisfies Readonly<Record<string, Pick<Row, "unit" | "goal">>>;

/** The name of a row. */
export type RowName = keyof typeof ROWS;

/** A row that was measured. */
export function measured(
  row: RowName,
  value: number,
  holds: boolean,
  beside: Pick<Figure, "peer" | "ratio" | "why">,
): Figure {
  return { row, value, ...ROWS[row], holds, ...beside };
}

/** A row that could not be measured, and why. */
export function unmeasured(row: RowName, why: string): Figure {
  return { row, value: null, ...ROWS[row], holds: null, why };
}
