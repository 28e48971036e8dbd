import type { Desk } from "../../tests/desk/desk.ts";
import type { Figure, RowName } from "./rows.ts";

/** What every part of the page's bench gets. */
export interface Context {
  /** A daemon with everything that views show. */
  readonly desk: Desk;
  /** A fraction of the work, to see that all of it runs. */
  readonly quick: boolean;
  /** A line for whoever waits. */
  say(line: string): void;
}

/** Some rows that are measured together. */
export interface Section {
  readonly rows: readonly RowName[];
  measure(context: Context): Promise<readonly Figure[]>;
}
