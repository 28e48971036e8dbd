/** A piece of two texts: in both, or in one alone; what is in both is written as each has it. */
export interface Piece {
  readonly side: "both" | "left" | "right";
  readonly left: string;
  readonly right: string;
}

/** A word or a line with the white space behind it, which makes no difference. */
interface Token {
  readonly key: string;
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
  const count = (text: string) => text.replaceAll(/\s/g, "").length;
  const letters = (side: Piece["side"]) =>
    pieces.filter((one) => one.side === side).reduce((sum, { left, right }) => sum + count(left + right), 0);
  const both = letters("both"), all = both + letters("left") + letters("right");
  return all === 0 ? 1 : both / all;
}

function wordsOf(text: string): readonly Token[] {
  return tokens(text.match(/^\s+|\S+\s*/g) ?? []);
}

function linesOf(text: string): readonly Token[] {
  return tokens(text.match(/[^\n]*\n\s*|[^\n]+$/g) ?? []);
}

function tokens(texts: readonly string[]): readonly Token[] {
  return texts.map((text) => ({ key: text.replaceAll(/\s+/g, " ").trim(), text }));
}

/** Myers' shortest edit, over tokens; equal beginnings and ends are taken off first. */
function compared(a: readonly Token[], b: readonly Token[]): readonly Piece[] {
  const same = (x: number, y: number) => a[x]!.key === b[y]!.key;
  let start = 0, end = 0;
  while (start < a.length && start < b.length && same(start, start)) start++;
  const least = Math.min(a.length, b.length) - start;
  while (end < least && same(a.length - 1 - end, b.length - 1 - end)) end++;
  const both = (x: number, y: number): Piece => ({ side: "both", left: a[x]!.text, right: b[y]!.text });
  return joined([
    ...Array.from({ length: start }, (_, at) => both(at, at)),
    ...edits(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...Array.from({ length: end }, (_, at) => both(a.length - end + at, b.length - end + at)),
  ]);
}

function edits(a: readonly Token[], b: readonly Token[]): readonly Piece[] {
  const trace: Map<number, number>[] = [];
  const ends = new Map([[1, 0]]);
  let steps = 0;
  for (let d = 0; d <= a.length + b.length; d++) {
    trace.push(new Map(ends));
    for (let k = -d; k <= d; k += 2) {
      if (++steps > STEPS) return [...a.map(onLeft), ...b.map(onRight)];
      let x = goesDown(ends, d, k) ? ends.get(k + 1) ?? 0 : (ends.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x]!.key === b[x - k]!.key) x++;
      ends.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkedBack(a, b, trace, d);
    }
  }
  return [];
}

/** Whether the way to the diagonal `k` takes a token of the right side, else one of the left. */
function goesDown(ends: ReadonlyMap<number, number>, d: number, k: number): boolean {
  return k === -d || (k !== d && (ends.get(k - 1) ?? -1) < (ends.get(k + 1) ?? -1));
}

function walkedBack(
  a: readonly Token[],
  b: readonly Token[],
  trace: readonly ReadonlyMap<number, number>[],
  last: number,
): readonly Piece[] {
  const found: Piece[] = [];
  let x = a.length, y = b.length;
  for (let d = last; d >= 0; d--) {
    const ends = trace[d]!, k = x - y, down = goesDown(ends, d, k);
    const from = down ? k + 1 : k - 1;
    const [beforeX, beforeY] = d === 0 ? [0, 0] : [ends.get(from) ?? 0, (ends.get(from) ?? 0) - from];
    const turn = d === 0 || down ? beforeX : beforeX + 1;
    while (x > turn) found.push({ side: "both", left: a[--x]!.text, right: b[--y]!.text });
    if (d > 0) found.push(down ? onRight(b[beforeY]!) : onLeft(a[beforeX]!));
    [x, y] = [beforeX, beforeY];
  }
  return found.reverse();
}

function onLeft({ text }: Token): Piece {
  return { side: "left", left: text, right: "" };
}

function onRight({ text }: Token): Piece {
  return { side: "right", left: "", right: text };
}

/** Neighbours of one side are one piece; of what changed, the left side stands before the right. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const found: Piece[] = [];
  let changed = { left: "", right: "" };
  const flush = () => {
    if (changed.left) found.push({ side: "left", left: changed.left, right: "" });
    if (changed.right) found.push({ side: "right", left: "", right: changed.right });
    changed = { left: "", right: "" };
  };
  for (const { side, left, right } of pieces) {
    if (side !== "both") {
      changed = { left: changed.left + left, right: changed.right + right };
      continue;
    }
    flush();
    const last = found.at(-1);
    if (last?.side === "both") {
      found[found.length - 1] = { side, left: last.left + left, right: last.right + right };
    } else found.push({ side, left, right });
  }
  flush();
  return found;
}
