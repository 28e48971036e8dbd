import { cut, oneLine, widthOf } from "./text.ts";

/** A column of a table. */
export interface Column {
  readonly title: string;
  readonly align?: "right";
  /** May be made narrower where the terminal is. */
  readonly cut?: boolean;
}

/** The least that a column is cut to. */
const NARROW = 8;
const GAP = 2;

/**
 * Rows under titles, each column as wide as it needs. Where `columns` is known and the whole is wider, the columns that
 * may be cut share what is missing; a title row is followed by the rows, one line each.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
  title: (text: string) => string = (text) => text,
): string {
  const cells = rows.map((row) => row.map(oneLine));
  const widths = fit(columns, naturalWidths(columns, cells), width);
  const line = (row: readonly string[]) =>
    row.map((cell, at) => pad(cell, columns[at], widths[at] ?? 0)).join("  ");
  const lines = cells.map((row) => line(row).trimEnd());
  return [title(line(columns.map((column) => column.title)).trimEnd()), ...lines].map((one) => one + "\n")
    .join("");
}

function naturalWidths(columns: readonly Column[], rows: readonly (readonly string[])[]): number[] {
  return columns.map((column, at) =>
    Math.max(widthOf(column.title), ...rows.map((row) => widthOf(row[at] ?? "")))
  );
}

/** Takes away from the widest column that may be cut until the whole fits. */
function fit(columns: readonly Column[], widths: number[], width: number | undefined): readonly number[] {
  const whole = () => widths.reduce((sum, one) => sum + one + GAP, -GAP);
  while (width !== undefined && whole() > width) {
    const widest = columns.map((column, at) => ({ at, size: column.cut ? widths[at] ?? 0 : 0 }))
      .reduce((a, b) => (b.size > a.size ? b : a), { at: -1, size: NARROW });
    if (widest.at === -1) break;
    widths[widest.at] = widest.size - 1;
  }
  return widths;
}

function pad(cell: string, column: Column | undefined, width: number): string {
  const shown = cut(cell, width);
  const space = " ".repeat(Math.max(0, width - widthOf(shown)));
  return column?.align === "right" ? space + shown : shown + space;
}

/** Names and values, one pair a line, the values in one column; a value of several lines is indented. */
export function pairs(rows: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(0, ...rows.map(([name]) => widthOf(name)));
  return rows.map(([name, value]) => {
    const space = " ".repeat(width - widthOf(name) + GAP);
    return name + space + value.trimEnd().replaceAll("\n", "\n" + " ".repeat(width + GAP)) + "\n";
  }).join("");
}
