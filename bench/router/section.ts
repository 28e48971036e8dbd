import type { Row } from "../report.ts";
import type { HandlerProgram } from "./daemon.ts";

/** What every part of the router's bench gets. */
export interface Context {
  /** A folder of this run, gone after it. */
  readonly root: string;
  /** A tenth of the work, to see that all of it runs. */
  readonly quick: boolean;
  /** Which gateways stand beside it. */
  readonly peers: "none" | "small" | "all";
  readonly program: HandlerProgram;
  /** The strictest driver that is quick to start here. */
  readonly driver: string;
  /** Whether any of these rows was asked for. */
  wanted(...rows: readonly string[]): boolean;
  /** A line for whoever waits. */
  say(line: string): void;
}

/** Some rows that are measured together. */
export interface Section {
  /** The names of its rows; `--only` picks the sections of the rows it names. */
  readonly rows: readonly string[];
  measure(context: Context): Promise<readonly Figure[]>;
}

/** A row without the bench's name. */
export type Figure = Omit<Row, "bench">;

/** A row that could not be measured, and why. */
export function unmeasured(row: string, unit: string, goal: string, why: string): Figure {
  return { row, value: null, unit, goal, holds: null, why };
}
