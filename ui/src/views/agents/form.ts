/** What no line can say as it is: nothing at all, a line's end, white space at an end, what looks like a quote. */
const QUOTED = /^$|\n|^\s|\s$|^"/;

/** The lines of a field, without those that are empty. */
export function linesOf(text: string): readonly string[] {
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

/** Words of a command line, one a line: no shell reads them. What no line can say stands in quotes, as in JSON. */
export function wordsText(words: readonly string[]): string {
  return words.map((word) => (QUOTED.test(word) ? JSON.stringify(word) : word)).join("\n");
}

/** The words of such lines. */
export function wordsOf(text: string): readonly string[] {
  return linesOf(text).map(unquoted);
}

/** Variables as `NAME=value` lines; a value as {@linkcode wordsText} has a word. */
export function envText(env: Readonly<Record<string, string>>): string {
  return Object.entries(env).map(([name, value]) => `${name}=${value === "" ? "" : wordsText([value])}`).join(
    "\n",
  );
}

/** The variables of `NAME=value` lines; a line without a sign is a name with nothing. */
export function envOf(text: string): Readonly<Record<string, string>> {
  const pairs = linesOf(text).map((line): [string, string] => {
    const at = line.indexOf("=");
    return at === -1 ? [line, ""] : [line.slice(0, at).trim(), unquoted(line.slice(at + 1))];
  });
  return Object.fromEntries(pairs);
}

function unquoted(word: string): string {
  if (!word.startsWith('"')) return word;
  try {
    const value: unknown = JSON.parse(word);
    return typeof value === "string" ? value : word;
  } catch {
    return word;
  }
}
