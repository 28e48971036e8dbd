import { figuresOf, type Rows } from "../figures.ts";

export type { Beside, Figure } from "../figures.ts";

/** Every row of the page's bench: its unit, and what it has to reach. */
export const ROWS = {
  "first-view": { unit: "KB", goal: "≤ 100 KB gzip" },
  "interactive-chromium": { unit: "ms", goal: "≤ 300 ms" },
  "interactive-firefox": { unit: "ms", goal: "≤ 300 ms" },
  "scroll-calls": { unit: "frames/s", goal: "10,000 calls at 60 frames a second" },
  "scroll-messages": { unit: "frames/s", goal: "10,000 messages at 60 frames a second" },
  "live-log": { unit: "ms", goal: "1,000 lines a second, no frame over 200 ms" },
} as const satisfies Rows;

/** The name of a row. */
export type RowName = keyof typeof ROWS;

export const { measured, unmeasured } = figuresOf(ROWS);
