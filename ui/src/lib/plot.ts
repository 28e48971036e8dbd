/** One line of a plot. */
export interface PlotSeries {
  readonly label: string;
  /** A value for each moment; null where there is none. */
  readonly values: readonly (number | null)[];
  /** A token of the styles: `--accent`. */
  readonly colour: string;
  /** Lengths of strokes and gaps. */
  readonly dash?: readonly number[];
}

/** What tells the lines of a plot apart, in turn. */
export const lineStyles: readonly Pick<PlotSeries, "colour" | "dash">[] = [
  { colour: "--accent" },
  { colour: "--good", dash: [6, 3] },
  { colour: "--warn", dash: [2, 3] },
  { colour: "--bad", dash: [10, 3, 2, 3] },
  { colour: "--text-soft", dash: [1, 2] },
];

/** The colour that a token has now, as a canvas understands it. */
export function tokenColour(token: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
