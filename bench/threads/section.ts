import type { Figure, RowName } from "./rows.ts";

/** What every part of the threads' bench gets. */
export interface Context {
  /** A folder of this run, gone after it. */
  readonly root: string;
  /** A fraction of the work, to see that all of it runs. */
  readonly quick: boolean;
  /** Whether other systems are measured too. */
  readonly peers: boolean;
  /** Whether any of these rows was asked for. */
  wanted(...rows: readonly RowName[]): boolean;
  /** A line for whoever waits. */
  say(line: string): void;
}

/** Some rows that are measured together. */
export interface Section {
  readonly rows: readonly RowName[];
  measure(context: Context): Promise<readonly Figure[]>;
}
