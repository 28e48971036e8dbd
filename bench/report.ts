/** One figure of a bench: what was measured, what it has to be, whether it is. */
export interface Row {
  readonly bench: string;
  readonly row: string;
  /** Null where it could not be measured; `why` tells. */
  readonly value: number | null;
  readonly unit: string;
  readonly goal: string;
  readonly holds: boolean | null;
  /** What it was measured beside, in the same run. */
  readonly peer?: string;
  /** The value over the peer's. */
  readonly ratio?: number;
  /** What a reader needs to judge it. */
  readonly why?: string;
}

const HEAD = ["row", "value", "goal", "holds", "ratio", "beside"] as const;

/** The rows as a Markdown table that is readable as it stands, with the remarks below. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map(({ bench, row, value, unit, goal, holds, ratio, peer }) => [
    `${bench} ${row}`,
    value === null ? "–" : `${value} ${unit}`,
    goal,
    holds === null ? (value === null ? "not measured" : "open") : holds ? "yes" : "NO",
    ratio === undefined ? "" : `${ratio}`,
    peer ?? "",
  ]);
  const widths = HEAD.map((name, at) => Math.max(name.length, ...cells.map((cell) => cell[at]!.length)));
  const line = (parts: readonly string[]) =>
    `| ${parts.map((part, at) => part.padEnd(widths[at]!)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  const remarks = rows.flatMap(({ row, peer, why }) =>
    why ? [`- ${row}${peer ? ` beside ${peer}` : ""}: ${why}`] : []
  );
  return [line(HEAD), rule, ...cells.map(line), ...(remarks.length > 0 ? ["", ...remarks] : [])].join("\n");
}
