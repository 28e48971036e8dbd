import { figuresOf, type Rows } from "../figures.ts";

export type { Beside, Figure } from "../figures.ts";

/** Every row of the apps' bench: its unit, and what it has to reach. */
export const ROWS = {
  "wake-bubblewrap": { unit: "ms", goal: "≤ 1.3 × bare engine" },
  "wake-podman": { unit: "ms", goal: "≤ 1.3 × bare engine" },
  "wake-ahead": { unit: "ms", goal: "not slower than smallweb" },
  "page-asleep": { unit: "ms", goal: "≤ 5 ms" },
  "warm-p50": { unit: "ms", goal: "≤ 0.3 ms added" },
  "warm-p95": { unit: "ms", goal: "≤ 1 ms added" },
  "deploy": { unit: "s", goal: "≤ 5 s" },
  "rollback": { unit: "s", goal: "≤ 1 s" },
  "deploys-200": { unit: "failed", goal: "0 failed requests" },
  "sleeping-50": { unit: "MB", goal: "≤ 2 MB each" },
  "woken-10": { unit: "ms", goal: "all within 1000 ms" },
} as const satisfies Rows;

/** The name of a row. */
export type RowName = keyof typeof ROWS;

export const { measured, unmeasured } = figuresOf(ROWS);
