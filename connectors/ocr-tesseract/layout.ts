import type { Block, Page } from "./protocol.ts";

/** One recognised word. */
interface Word {
  readonly text: string;
  /** 0 to 100. */
  readonly confidence: number;
}

/** One line of a recognised page. */
interface Line {
  readonly block: string;
  readonly bbox: Block["bbox"];
  readonly words: Word[];
}

/** A page and the size of its image in pixels. */
export interface SizedPage extends Page {
  readonly width: number;
  readonly height: number;
}

/** A page as Tesseract read it, and how sure it was. */
export interface Reading {
  readonly page: SizedPage;
  /** The mean confidence of the words by their length, 0 to 100; 0 where there are none. */
  readonly confidence: number;
  /** Letters and digits in words that Tesseract was fairly sure of. */
  readonly sureLetters: number;
}

/** A line below this confidence is dirt, not text. */
const DIRT = 25;
const FAIRLY_SURE = 60;

/** Makes a page of Tesseract's table (TSV: level, page, block, paragraph, line, word, left, top, width, height, confidence, text). */
export function readingOf(tsv: string): Reading {
  const lines: Line[] = [];
  let size = { width: 0, height: 0 };
  for (const row of tsv.split("\n")) {
    const cells = row.split("\t");
    if (cells[0] === "1") {
      size = { width: Number(cells[8]), height: Number(cells[9]) };
    }
    if (cells[0] === "4") {
      lines.push({ block: cells[2] ?? "", bbox: box(cells), words: [] });
    }
    if (cells[0] !== "5") continue;
    const text = cells.slice(11).join("\t").trim();
    if (text) lines.at(-1)?.words.push({ text, confidence: Number(cells[10]) });
  }
  const kept = lines.filter(({ words }) => meanConfidence(words) >= DIRT);
  const words = kept.flatMap((line) => line.words);
  return {
    page: { ...pageOf(kept), ...size },
    confidence: meanConfidence(words),
    sureLetters: letters(
      words.filter(({ confidence }) => confidence >= FAIRLY_SURE),
    ),
  };
}

function box(cells: readonly string[]): Block["bbox"] {
  const [left = 0, top = 0, width = 0, height = 0] = cells.slice(6, 10).map(
    Number,
  );
  return [left, top, left + width, top + height];
}

function meanConfidence(words: readonly Word[]): number {
  const length = words.reduce((sum, { text }) => sum + text.length, 0);
  const weighed = words.reduce(
    (sum, { text, confidence }) => sum + text.length * confidence,
    0,
  );
  return length === 0 ? 0 : weighed / length;
}

function letters(words: readonly Word[]): number {
  return words.reduce(
    (sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0),
    0,
  );
}

/** Lines end with a newline; between two blocks of the page stands an empty line. */
function pageOf(lines: readonly Line[]): Page {
  const blocks = lines.map(({ bbox, words }) => ({
    text: words.map(({ text }) => text).join(" "),
    bbox,
  }));
  let text = "";
  lines.forEach(({ block }, index) => {
    if (index > 0 && lines[index - 1]?.block !== block) text += "\n";
    text += `${blocks[index]?.text}\n`;
  });
  return { text, blocks };
}
