/**
 * Controls, marks of direction and what has no shape; a terminal would act on them or turn the text. The two joiners stay,
 * for scripts and emojis are written with them.
 */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Text of others with nothing in it that could steer a terminal or turn the direction; lines and tabs stay. */
export function plain(text: string): string {
  const kept = (char: string) => (char === "\n" || char === "\t" ? char : "\ufffd");
  return text.replaceAll("\r\n", "\n").replace(UNSEEN, kept);
}

/** As {@linkcode plain}, on one line. */
export function oneLine(text: string): string {
  return plain(text).replace(/\s+/g, " ").trim();
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** What stands for one sign: a letter with its marks, an emoji of several joined ones. */
function signsOf(line: string): Iterable<string> {
  if (/^[\x20-\x7e]*$/.test(line)) return line;
  return Array.from(graphemes.segment(line), ({ segment }) => segment);
}

/** How many columns of a terminal a sign takes. */
function columnsOf(sign: string): number {
  if (/\p{Emoji_Presentation}|\ufe0f/u.test(sign)) return 2;
  return [...sign].reduce((sum, char) => sum + columnsOfOne(char), 0);
}

function columnsOfOne(char: string): number {
  if (/[\p{Mark}\u200c\u200d]/u.test(char)) return 0;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x1100) return 1;
  return WIDE.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

/** Hangul, the scripts of East Asia, full-width forms, emoji. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1faff],
  [0x20000, 0x3fffd],
];

/** How many columns of a terminal a line takes. */
export function widthOf(line: string): number {
  let width = 0;
  for (const sign of signsOf(line)) width += columnsOf(sign);
  return width;
}

/** A line cut to at most so many columns, with an ellipsis where something went. */
export function cut(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line;
  let width = 1;
  let kept = "";
  for (const sign of signsOf(line)) {
    width += columnsOf(sign);
    if (width > columns) break;
    kept += sign;
  }
  return kept + "…";
}

/** Words laid out in lines of at most so many columns; lines that are indented stay as they are. */
export function wrap(text: string, columns: number, indent = ""): string {
  return text.split("\n").map((line) => /^\s/.test(line) ? indent + line : wrapLine(line, columns, indent))
    .join("\n");
}

function wrapLine(line: string, columns: number, indent: string): string {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (current !== "" && widthOf(indent + longer) > columns) {
      lines.push(current);
      current = word;
    } else current = longer;
  }
  return [...lines, current].map((one) => (one === "" ? "" : indent + one)).join("\n");
}

/** `1 page`, `2 pages`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
