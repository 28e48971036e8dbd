import { pairsOfWords } from "./pairs_of_words.ts";

/** `ocr=ocr-local,ocr-mistral` words as a selection. */
export function serviceWords(words: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const pairs = Object.entries(pairsOfWords("service", words));
  return Object.fromEntries(
    pairs.map(([name, bindings]) => [name, bindings.split(",").map((one) => one.trim())]),
  );
}
