const TITLE_LENGTH = 120;
const TEXT_LENGTH = 2000;

/** Controls but for line ends and tabs, lone surrogates, line separators; all that steers a terminal or a reader. */
const CONTROLS = /(?![\n\t])\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}/gu;
/** Marks of direction and all else without a shape, but for the two joiners that scripts and emojis are written with. */
const SHAPELESS = /(?![\u200c\u200d])\p{Cf}|[\u{e0000}-\u{e0fff}]/gu;
/** More marks on one letter than any language has: they grow over the lines around. */
const PILED = /(\p{M}{4})\p{M}+/gu;

/** A title as it is kept: one line, nothing in it that steers, at most 120 letters. */
export function cleanTitle(title: string): string {
  return bounded(clean(title).replace(/\s+/g, " ").trim(), TITLE_LENGTH);
}

/** A text as it is kept: lines, nothing in it that steers, at most 2000 letters. */
export function cleanText(text: string): string {
  return bounded(clean(text).replace(/\n{3,}/g, "\n\n").trim(), TEXT_LENGTH);
}

function clean(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(CONTROLS, "").replace(SHAPELESS, "").replace(PILED, "$1");
}

function bounded(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : letters.slice(0, most - 1).join("").trimEnd() + "…";
}
