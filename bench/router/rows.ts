import { figuresOf, type Rows } from "../figures.ts";

export type { Beside, Figure } from "../figures.ts";

/** Every row of the router's bench: its unit, and what it has to reach. */
export const ROWS = {
  "added-1k-p50": { unit: "µs", goal: "≤ 1.5 × hop" },
  "added-1k-p99": { unit: "µs", goal: "≤ 2 × hop" },
  "calls-32": { unit: "calls/s", goal: "≥ 0.8 × hop" },
  "result-3mb": { unit: "ms", goal: "≤ 2 × JSON.parse" },
  "agent-way-p50": { unit: "µs", goal: "≤ 1.25 × floor" },
  "agent-way-added": { unit: "µs", goal: "less than each gateway" },
  "agent-way-wrapped-added": { unit: "µs", goal: "less than each gateway" },
  "agent-calls-32": { unit: "calls/s", goal: "≥ 0.8 × floor" },
  "agent-calls-32-ahead": { unit: "calls/s", goal: "more than each gateway" },
  "file-20mb-memory": { unit: "MB", goal: "≤ 32 MB over idle" },
  "file-80mb-memory": { unit: "MB", goal: "≤ 32 MB over idle" },
  "ready": { unit: "ms", goal: "≤ 150 ms, compiled" },
  "idle-memory": { unit: "MB", goal: "≤ 80 MB, compiled" },
  "cold-start-bubblewrap": { unit: "ms", goal: "≤ 100 ms" },
  "cold-start-podman": { unit: "ms", goal: "≤ 400 ms" },
  "ocr-page": { unit: "ms", goal: "≤ 1.1 × engine" },
  "ocr-pdf-10": { unit: "ms", goal: "≥ 0.75 × cores" },
} as const satisfies Rows;

/** The name of a row. */
export type RowName = keyof typeof ROWS;

export const { measured, unmeasured } = figuresOf(ROWS);
