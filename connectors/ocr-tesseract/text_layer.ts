import type { Block, Page } from "./protocol.ts";

/** A rectangle in a PDF's own points, upwards: left, bottom, right, top. */
export type PointBox = readonly [left: number, bottom: number, right: number, top: number];

/** One character of a PDF's text. */
export interface Character {
  /** Unicode; 0 where the font does not tell. */
  readonly code: number;
  /** Whether the font maps it to no known character. */
  readonly unmapped: boolean;
  /** Line ends and the like have none. */
  readonly box: PointBox | undefined;
}

/** PDFium's sign for a hyphen at the end of a line. */
const LINE_HYPHEN = 0x02;
const LINE_FEED = 0x0a;

/** Less text than this is a stamp or a page number on a scan. */
const LEAST_CHARACTERS = 20;
/** A page that is one picture has its text layer from a scanner's own reading, or only a stamp: less than a paragraph. */
const SCAN_SHARE = 0.5, LEAST_ON_SCAN = 200;
/** More unreadable characters than this and the text is no use. */
const MOST_UNREADABLE = 0.1;

/** Whether a page's own text can be taken in place of reading its picture. */
export function isTextLayer(characters: readonly Character[], imageShare: number): boolean {
  const visible = characters.filter(isVisible).length;
  const unreadable = characters.filter(isUnreadable).length;
  const least = imageShare > SCAN_SHARE ? LEAST_ON_SCAN : LEAST_CHARACTERS;
  return visible >= least && unreadable <= visible * MOST_UNREADABLE;
}

function isVisible({ code }: Character): boolean {
  return code > 0x20;
}

/** No code, the replacement character, or one of the private use area, where broken fonts put theirs. */
function isUnreadable({ code, unmapped }: Character): boolean {
  return unmapped || code === 0 || code === 0xfffd || (code >= 0xe000 && code <= 0xf8ff);
}

/** The text by lines, and where each line stands; `toPixels` turns a box to where it is on the upright page. */
export function linesOf(characters: readonly Character[], toPixels: (box: PointBox) => Block["bbox"]): Page {
  const blocks: Block[] = [];
  let start = 0;
  for (let at = 0; at <= characters.length; at++) {
    if (at < characters.length && characters[at]?.code !== LINE_FEED) continue;
    const line = characters.slice(start, at);
    const text = line.map(({ code }) => letter(code)).join("").replace(/\s+/g, " ").trim();
    const box = boxAround(line);
    if (text && box) blocks.push({ text, bbox: toPixels(box) });
    start = at + 1;
  }
  return { text: blocks.map(({ text }) => `${text}\n`).join(""), blocks };
}

/** The smallest box around all visible characters. */
function boxAround(line: readonly Character[]): PointBox | undefined {
  return line.filter(isVisible).reduce<PointBox | undefined>((around, { box }) => {
    if (!box || !around) return box ?? around;
    return [
      Math.min(around[0], box[0]),
      Math.min(around[1], box[1]),
      Math.max(around[2], box[2]),
      Math.max(around[3], box[3]),
    ];
  }, undefined);
}

function letter(code: number): string {
  if (code === LINE_HYPHEN) return "-";
  if (code === 0 || code > 0x10ffff) return "";
  return String.fromCodePoint(code);
}
