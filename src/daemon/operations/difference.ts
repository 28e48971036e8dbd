/** Texts longer than this many lines are compared as wholes: the table below would grow with their product. */
const LINE_LIMIT = 2000;

/** The lines in which two texts differ, `- ` of the first and `+ ` of the second, in order; nothing where they are equal. */
export function lineDifference(first: string, second: string): readonly string[] {
  if (first === second) return [];
  const a = first.split("\n"), b = second.split("\n");
  if (a.length > LINE_LIMIT || b.length > LINE_LIMIT) return [`- ${a.length} lines`, `+ ${b.length} lines`];
  const common = commonLengths(a, b);
  const lines: string[] = [];
  let i = 0, j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) i++, j++;
    else if (j >= b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)) {
      lines.push(`- ${a[i++]}`);
    } else lines.push(`+ ${b[j++]}`);
  }
  return lines;
}

/** `[i][j]`: how many lines of `a` from `i` and of `b` from `j` on can be paired in order. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly Uint16Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i]![j] = a[i] === b[j]
        ? table[i + 1]![j + 1]! + 1
        : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
    }
  }
  return table;
}
