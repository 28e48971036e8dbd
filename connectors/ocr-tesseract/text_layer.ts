import type { Block, Page } from "./protocol.ts";

/** One character of a PDF's text. */
export interface Character {
  /** Unicode; 0 where the font does not tell. */
  readonly code: number;
  /** Whether the font maps it to no known character. */
  readonly unmapped: boolean;
  /** In pixels of the page at 200 dpi; line ends and the like have none. */
  readonly box: Block["bbox"] | undefined;
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
export function isTextLayer(
  characters: readonly Character[],
  imageShare: number,
): boolean {
  const visible = characters.filter(({ code }) => code > 0x20);
  const unreadable = characters.filter(isUnreadable).length;
  const least = imageShare > SCAN_SHARE ? LEAST_ON_SCAN : LEAST_CHARACTERS;
  return visible.length >= least &&
    unreadable <= visible.length * MOST_UNREADABLE;
}

/** No code, the replacement character, or one of the private use area, where broken fonts put theirs. */
function isUnreadable({ code, unmapped }: Character): boolean {
  return unmapped || code === 0 || code === 0xfffd ||
    (code >= 0xe000 && code <= 0xf8ff);
}

/** The text by lines, and where each line stands. */
export function linesOf(characters: readonly Character[]): Page {
  const blocks: Block[] = [];
  let line: Character[] = [];
  for (
    const character of [...characters, {
      code: LINE_FEED,
      unmapped: false,
      box: undefined,
    }]
  ) {
    if (character.code !== LINE_FEED) {
      line.push(character);
      continue;
    }
    const block = blockOf(line);
    if (block) blocks.push(block);
    line = [];
  }
  return { text: blocks.map(({ text }) => `${text}\n`).join(""), blocks };
}

function blockOf(line: readonly Character[]): Block | undefined {
  const text = line.map(({ code }) => letter(code)).join("").replace(
    /\s+/g,
    " ",
  ).trim();
  const boxes = line.flatMap((
    { box, code },
  ) => (box && code > 0x20 ? [box] : []));
  if (!text || boxes.length === 0) return undefined;
  return {
    text,
    bbox: [
      Math.min(...boxes.map(([left]) => left)),
      Math.min(...boxes.map(([, top]) => top)),
      Math.max(...boxes.map(([, , right]) => right)),
      Math.max(...boxes.map(([, , , bottom]) => bottom)),
    ],
  };
}

function letter(code: number): string {
  if (code === LINE_HYPHEN) return "-";
  if (code === 0 || code > 0x10ffff) return "";
  return String.fromCodePoint(code);
}
