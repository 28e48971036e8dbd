const LETTERS: Readonly<Record<string, string>> = {
  a: "á", e: "é", i: "í", o: "ó", u: "ú", y: "ý", c: "ç", n: "ñ", s: "š", z: "ž",
  A: "Á", E: "É", I: "Í", O: "Ó", U: "Ú", Y: "Ý", C: "Ç", N: "Ñ", S: "Š", Z: "Ž",
};

/**
 * English with other letters, 40 % longer, in brackets: whatever is shown without them is hard-wired, and what loses a
 * bracket is cut off. Values and the words of a plural's form stay as they are.
 */
export function pseudo(text: string): string {
  const changed = text.replace(/\{[^{}]*,\s*plural\s*,|\{\w+\}|=?\w+\s*\{|[A-Za-z]/g, (found) => LETTERS[found] ?? found);
  const longer = "·".repeat(Math.ceil(text.length * 0.4));
  return `[${changed}${longer}]`;
}
