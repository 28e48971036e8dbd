import type { Row } from "./report.ts";

/** A row without the bench's name. */
export type Figure = Omit<Row, "bench">;

/** What a bench says of each of its rows before it measures: the unit, and what the value has to reach. */
export type Rows = Readonly<Record<string, Pick<Row, "unit" | "goal">>>;

/** What a figure may say besides. */
export type Beside = Pick<Figure, "peer" | "ratio" | "why">;

/** The two ways that a row of a bench comes out. */
export interface Figures<Name extends string> {
  /** A row that was measured; `holds` is null where the goal cannot be judged. */
  measured(row: Name, value: number, holds: boolean | null, beside: Beside): Figure;
  /** A row that could not be measured, and why. */
  unmeasured(row: Name, why: string, peer?: string): Figure;
}

/** Makes the figures of a bench from its rows. */
export function figuresOf<R extends Rows>(rows: R): Figures<keyof R & string> {
  return {
    measured: (row, value, holds, beside) => ({ row, value, ...rows[row]!, holds, ...beside }),
    unmeasured: (row, why, peer) => ({
      row,
      value: null,
      ...rows[row]!,
      holds: null,
      ...peer === undefined ? {} : { peer },
      why,
    }),
  };
}
