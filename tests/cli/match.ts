/**
 * Compares what a command printed with what a script expects. `{{id}}` and its like stand for what differs in every run,
 * a line of `...` alone for any number of lines.
 * @module
 */

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  id: "[0-9a-hjkmnp-tv-z]{20}",
  time:
    "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z|\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d(?::\\d\\d)?",
  hash: "[0-9a-f]{64}",
  short: "[0-9a-f]{8,16}",
  number: "\\d+(?:\\.\\d+)?(?:e-?\\d+)?",
  version: "\\d+\\.\\d+\\.\\d+",
  any: ".*",
};

/** Any number of lines. */
export const REST = "...";

/** Whether every line is as expected. */
export function matchLines(expected: readonly string[], actual: readonly string[]): boolean {
  const [first, ...others] = expected;
  if (first === undefined) return actual.length === 0;
  if (first === REST) {
    return actual.some((_, skip) => matchLines(others, actual.slice(skip))) || matchLines(others, []);
  }
  const [line, ...rest] = actual;
  return line !== undefined && matchLine(first, line) && matchLines(others, rest);
}

/** Whether one line is as expected; space at its end, and how wide a table's columns are, do not count. */
export function matchLine(expected: string, actual: string): boolean {
  const pattern = narrow(expected).split(/(\{\{\w+\}\})/).map((part) => {
    const name = /^\{\{(\w+)\}\}$/.exec(part)?.[1];
    if (name === undefined) return RegExp.escape(part);
    const stands = PLACEHOLDERS[name];
    if (stands === undefined) throw new Error(`{{${name}}} is no placeholder; there are ${names()}`);
    return `(?:${stands})`;
  });
  return new RegExp(`^${pattern.join("")}$`).test(narrow(actual));
}

function narrow(line: string): string {
  return line.trimEnd().replaceAll(/(?<=\S) {2,}/g, "  ");
}

function names(): string {
  return Object.keys(PLACEHOLDERS).map((name) => `{{${name}}}`).join(", ");
}

/** The text's lines, the closing newline left out. */
export function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/**
 * What a script should say after an update: the actual lines, except that an expected line with a placeholder that
 * fits stays as it is.
 */
export function updatedLines(expected: readonly string[], actual: readonly string[]): readonly string[] {
  if (matchLines(expected, actual)) return expected;
  const general = expected.filter((line) => /\{\{\w+\}\}/.test(line) && !/^\{\{any\}\}$/.test(line));
  return actual.map((line) => general.find((pattern) => matchLine(pattern, line)) ?? line.trimEnd());
}
