import { figuresOf, type Rows } from "../figures.ts";

export type { Beside, Figure } from "../figures.ts";

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
} as const satisfies Rows;

/** The name of a row. */
export type RowName = keyof typeof ROWS;

export const { measured, unmeasured } = figuresOf(ROWS);
