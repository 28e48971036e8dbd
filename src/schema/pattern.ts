import { errorText } from "../base/mod.ts";
import { type CharSet, parsePattern, type PatternNode, PatternRefused } from "./pattern_parse.ts";

/** The longest pattern, in UTF-16 units. */
const LONGEST = 1000;
/** How many ways through its bounded parts a pattern may leave open. */
const MOST_WAYS = 200;
/** How deep groups may nest, so that the analysis itself stays shallow. */
const DEEPEST = 50;

/**
 * What keeps a pattern from matching in linear time on a backtracking engine, as it stands after "the pattern"; undefined
 * for a good one. The analysis is careful rather than clever: it accepts a pattern only where each repetition without
 * limit knows by the next letter whether to go on. One may try every length, if no other comes after it; and `^` must
 * stand in front, for a search that begins at every letter tries every length too.
 */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > LONGEST) return `must have at most ${LONGEST} characters`;
  if (deepest(pattern) > DEEPEST) return `must nest its groups at most ${DEEPEST} deep`;
  try {
    new RegExp(pattern, "u");
    const tree = parsePattern(pattern);
    const { slow, ways, endless } = analyse(tree, { set: [], inLoop: false, endless: false });
    if (slow) return `must match in linear time, ${slow}`;
    if (ways > MOST_WAYS) return "must match in linear time, leaves too many ways open";
    if (!endless || startsAnchored(tree)) return undefined;
    return 'must match in linear time, so it must begin with "^" where it has a repetition without limit';
  } catch (error) {
    if (error instanceof PatternRefused) return `must match in linear time, uses ${error.message}`;
    return `must be a regular expression: ${errorText(error).split(": ").at(-1)}`;
  }
}

function deepest(pattern: string): number {
  let depth = 0;
  let most = 0;
  for (const char of pattern) {
    if (char === "(") most = Math.max(most, ++depth);
    else if (char === ")") depth--;
  }
  return most;
}

/** What surrounds a part. */
interface Context {
  /** The letters that may come after it. */
  readonly set: CharSet;
  /** Whether it stands in a repetition without limit. */
  readonly inLoop: boolean;
  /** Whether a repetition without limit comes after it. */
  readonly endless: boolean;
}

/** How a part behaves. */
interface Analysis {
  /** The letters it can begin with. */
  readonly first: CharSet;
  readonly nullable: boolean;
  /** Whether a repetition without limit is in it. */
  readonly endless: boolean;
  /** How many ways its bounded parts leave open. */
  readonly ways: number;
  /** Why it takes more than linear time. */
  readonly slow: string | undefined;
}

const NOTHING: Analysis = { first: [], nullable: true, endless: false, ways: 1, slow: undefined };
const NESTED = "has a repetition inside a repetition that can match the same text";
const TWICE = "has two repetitions that can match the same text";

function analyse(node: PatternNode, after: Context): Analysis {
  switch (node.kind) {
    case "chars":
      return { ...NOTHING, first: node.set, nullable: false };
    case "empty":
    case "start":
      return NOTHING;
    case "sequence":
      return sequence(node.parts, after);
    case "choice":
      return choice(node.branches, after);
    case "repeat":
      return repeat(node.body, node.min, node.max, after);
  }
}

function sequence(parts: readonly PatternNode[], after: Context): Analysis {
  let whole = NOTHING;
  for (const part of parts.toReversed()) {
    const set = whole.nullable ? [...whole.first, ...after.set] : whole.first;
    const one = analyse(part, { set, inLoop: after.inLoop, endless: after.endless || whole.endless });
    whole = {
      first: one.nullable ? [...one.first, ...whole.first] : one.first,
      nullable: one.nullable && whole.nullable,
      endless: one.endless || whole.endless,
      ways: one.ways * whole.ways,
      slow: one.slow ?? whole.slow,
    };
  }
  return whole;
}

function choice(branches: readonly PatternNode[], after: Context): Analysis {
  const all = branches.map((branch) => analyse(branch, after));
  const starts = all.map((one) => one.nullable ? [...one.first, ...after.set] : one.first);
  const apart = starts.every((set, index) => starts.slice(index + 1).every((other) => !overlap(set, other)));
  const ways = all.map((one) => one.ways);
  return {
    first: all.flatMap((one) => one.first),
    nullable: all.some((one) => one.nullable),
    endless: all.some((one) => one.endless),
    ways: apart ? Math.max(...ways) : ways.reduce((sum, one) => sum + one, 0),
    slow: all.find((one) => one.slow)?.slow ?? (!apart && after.inLoop ? NESTED : undefined),
  };
}

function repeat(body: PatternNode, min: number, max: number, after: Context): Analysis {
  if (max === 0) return NOTHING;
  const one = analyse(body, {
    set: max > 1 ? [...beginnings(body), ...after.set] : after.set,
    inLoop: max === Infinity || after.inLoop,
    endless: after.endless || (max > 1 && hasEndless(body)),
  });
  const open = min !== max && (one.nullable || overlap(one.first, after.set));
  const shape = { first: one.first, nullable: min === 0 || one.nullable };
  if (max === Infinity) {
    return { ...shape, endless: true, ways: 1, slow: one.slow ?? slowLoop(one, open, after) };
  }
  const ways = Math.pow(one.ways, max) * (open ? max - min + 1 : 1);
  return {
    ...shape,
    endless: one.endless,
    ways,
    slow: one.slow ?? (open && after.inLoop ? NESTED : undefined),
  };
}

function slowLoop(body: Analysis, open: boolean, after: Context): string | undefined {
  if (body.nullable || body.ways > 1 || (open && after.inLoop)) return NESTED;
  return open && after.endless ? TWICE : undefined;
}

/** The letters a part can begin with, without looking at what surrounds it. */
function beginnings(node: PatternNode): CharSet {
  if (node.kind === "chars") return node.set;
  if (node.kind === "repeat") return node.max === 0 ? [] : beginnings(node.body);
  if (node.kind === "choice") return node.branches.flatMap(beginnings);
  if (node.kind !== "sequence") return [];
  const solid = node.parts.findIndex((part) => !canBeEmpty(part));
  return node.parts.slice(0, solid === -1 ? node.parts.length : solid + 1).flatMap(beginnings);
}

function canBeEmpty(node: PatternNode): boolean {
  if (node.kind === "chars") return false;
  if (node.kind === "repeat") return node.min === 0 || canBeEmpty(node.body);
  if (node.kind === "choice") return node.branches.some(canBeEmpty);
  return node.kind !== "sequence" || node.parts.every(canBeEmpty);
}

function hasEndless(node: PatternNode): boolean {
  if (node.kind === "sequence") return node.parts.some(hasEndless);
  if (node.kind === "choice") return node.branches.some(hasEndless);
  return node.kind === "repeat" && (node.max === Infinity || hasEndless(node.body));
}

function overlap(a: CharSet, b: CharSet): boolean {
  return a.some(([low, high]) => b.some(([from, to]) => low <= to && from <= high));
}

/** Whether a match can only begin at the text's first letter. */
function startsAnchored(node: PatternNode): boolean {
  if (node.kind === "start") return true;
  if (node.kind === "sequence") return node.parts[0] !== undefined && startsAnchored(node.parts[0]);
  if (node.kind === "choice") return node.branches.every(startsAnchored);
  return false;
}
