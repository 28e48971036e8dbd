import type { Row } from "../platform/mod.ts";

/** A column that is text. */
export function text(row: Row, column: string): string {
  return String(row[column]);
}

/** A column that is a number. */
export function number(row: Row, column: string): number {
  return Number(row[column]);
}

/** A column that is text or NULL. */
export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

/** A column that is a number or NULL. */
export function numberOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : number(row, column);
}

/** A column that holds JSON which this program wrote itself. */
export function parsed<T>(row: Row, column: string): T {
  return JSON.parse(text(row, column)) as T;
}
