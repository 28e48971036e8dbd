import { HandlerError } from "../base/mod.ts";
import { pairsOfWords } from "./pairs_of_words.ts";

/** `ocr=ocr-local,ocr-mistral` words as a selection. */
export function serviceWords(words: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const pairs = Object.entries(pairsOfWords("service", words));
  return Object.fromEntries(pairs.map(([name, text]) => {
    const bindings = text.split(",").map((one) => one.trim());
    if (!bindings.includes("")) return [name, bindings];
    throw new HandlerError(
      "usage",
      `--service ${name} takes bindings, apart by a comma, found ${JSON.stringify(text)}`,
    );
  }));
}
