import type { SizedPage } from "./layout.ts";
import type { Block } from "./protocol.ts";

/** A slope of one percent is read as well as none. */
const LEAST_SLOPE = 0.015;

/** Whether lines with this slope, in radians, are worth straightening. */
export function isTilted(radians: number): boolean {
  return Math.abs(radians) >= LEAST_SLOPE;
}

/** A page read from its image turned clockwise by `radians` about the middle, with its blocks where they stand unturned. */
export function tiltedPage(page: SizedPage, radians: number): SizedPage {
  const blocks = page.blocks.map(({ text, bbox }) => ({
    text,
    bbox: tilted(bbox, page, radians),
  }));
  return { ...page, blocks };
}

/** The smallest upright box around a box that is turned back. */
function tilted(
  [left, top, right, bottom]: Block["bbox"],
  { width, height }: SizedPage,
  radians: number,
): Block["bbox"] {
  const sin = Math.sin(radians), cos = Math.cos(radians);
  const corners = [[left, top], [right, top], [left, bottom], [right, bottom]]
    .map(([x = 0, y = 0]) => {
      const dx = x - width / 2, dy = y - height / 2;
      return [
        width / 2 + dx * cos + dy * sin,
        height / 2 - dx * sin + dy * cos,
      ] as const;
    });
  const xs = corners.map(([x]) => x), ys = corners.map(([, y]) => y);
  const within = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value)));
  return [
    within(Math.min(...xs), width),
    within(Math.min(...ys), height),
    within(Math.max(...xs), width),
    within(Math.max(...ys), height),
  ];
}
