/** A piece of two texts: in both, or in one alone. */
export interface Piece {
  readonly side: "both" | "left" | "right";
  readonly text: string;
}

/** Beyond this many words of each side whole lines are compared, so that it stays quick. */
const WORDS = 4000;
/** The most steps that are looked at before what is left counts as other. */
const STEPS = 2_000_000;

/** What differs between two texts, by words where they are short enough, else by lines. */
export function difference(left: string, right: string): readonly Piece[] {
  const [a, b] = [wordsOf(left), wordsOf(right)];
  const long = a.length > WORDS || b.length > WORDS;
  return long ? compared(linesOf(left), linesOf(right)) : compared(a, b);
}

/** How much of two texts is the same, from 0 to 1, by letters. */
export function likeness(pieces: readonly Piece[]): number {
  const letters = (side: Piece["side"]) =>
    pieces.filter((one) => one.side === side).reduce(
      (sum, { text }) => sum + text.replaceAll(/\s/g, "").length,
      0,
    );
  const both = letters("both") * 2, all = both + letters("left") + letters("right");
  return all === 0 ? 1 : both / all;
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\n|[^\S\n]+|[^\s]+/g) ?? [];
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Myers' shortest edit, over tokens; equal beginnings and ends are taken off first. */
function compared(a: readonly string[], b: readonly string[]): readonly Piece[] {
  let start = 0, end = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const middle = edits(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return joined([
    ...a.slice(0, start).map((text) => ({ side: "both", text }) as const),
    ...middle,
    ...a.slice(a.length - end).map((text) => ({ side: "both", text }) as const),
  ]);
}

function edits(a: readonly string[], b: readonly string[]): readonly Piece[] {
  const trace: Map<number, number>[] = [];
  const ends = new Map([[1, 0]]);
  let steps = 0;
  for (let d = 0; d <= a.length + b.length; d++) {
    trace.push(new Map(ends));
    for (let k = -d; k <= d; k += 2) {
      if (++steps > STEPS) return allOther(a, b);
      const down = k === -d || (k !== d && (ends.get(k - 1) ?? -1) < (ends.get(k + 1) ?? -1));
      let x = down ? ends.get(k + 1) ?? 0 : (ends.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      ends.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkedBack(a, b, trace, d);
    }
  }
  return [];
}

function walkedBack(
  a: readonly string[],
  b: readonly string[],
  trace: readonly Map<number, number>[],
  last: number,
): readonly Piece[] {
  const found: Piece[] = [];
  let x = a.length, y = b.length;
  for (let d = last; d >= 0; d--) {
    const ends = trace[d]!, k = x - y;
    const down = k === -d || (k !== d && (ends.get(k - 1) ?? -1) < (ends.get(k + 1) ?? -1));
    const from = down ? k + 1 : k - 1;
    const beforeX = d === 0 ? 0 : ends.get(from) ?? 0;
    const beforeY = d === 0 ? 0 : beforeX - from;
    const afterX = d === 0 ? 0 : down ? beforeX : beforeX + 1;
    while (x > afterX && y > afterX - k) {
      found.push({ side: "both", text: a[--x]! });
      y--;
    }
    if (d === 0) break;
    found.push(down ? { side: "right", text: b[beforeY]! } : { side: "left", text: a[beforeX]! });
    [x, y] = [beforeX, beforeY];
  }
  return found.reverse();
}

function allOther(a: readonly string[], b: readonly string[]): readonly Piece[] {
  return [
    ...a.map((text) => ({ side: "left", text }) as const),
    ...b.map((text) => ({ side: "right", text }) as const),
  ];
}

/** Neighbours of one side are one piece; of what changed, the left side stands before the right. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const found: Piece[] = [];
  let left = "", right = "";
  const flush = () => {
    if (left) found.push({ side: "left", text: left });
    if (right) found.push({ side: "right", text: right });
    left = right = "";
  };
  for (const { side, text } of pieces) {
    if (side === "left") left += text;
    else if (side === "right") right += text;
    else {
      flush();
      const last = found.at(-1);
      if (last?.side === "both") found[found.length - 1] = { side, text: last.text + text };
      else found.push({ side, text });
    }
  }
  flush();
  return found;
}
