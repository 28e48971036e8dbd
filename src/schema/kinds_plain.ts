import { NAME_PATTERN, NAME_RULE, nearest } from "../base/mod.ts";
import { found } from "./found.ts";
import { type Kind, leaf } from "./kind.ts";

/** How a text is limited. */
export interface TextRule {
  /** Whether `""` is one; not unless told. */
  readonly empty?: boolean;
  /** The longest, in UTF-16 units; 10,000 unless told. */
  readonly max?: number;
  /** What it must match, with the rule in words. */
  readonly pattern?: { readonly rule: string; readonly test: RegExp };
}

/** A text: not empty, without NUL. */
export function text(rule: TextRule = {}): Kind<string> {
  const { pattern, empty = false, max = 10_000 } = rule;
  const limited = `a text of ${empty ? "at most" : "1 to"} ${max} characters`;
  const words = pattern?.rule ??
    (rule.max !== undefined ? limited : empty ? "a text" : "a text that is not empty");
  return {
    rule: words,
    read(value, at) {
      const is = typeof value === "string" && value.length <= max && (empty || value !== "");
      if (!is || (pattern && !pattern.test.test(value))) {
        return at.problem(`must be ${words}, found ${found(value)}`);
      }
      return value.includes("\0")
        ? at.problem(`must not hold the letter U+0000, found ${found(value)}`)
        : value;
    },
  };
}

/** A name of Handler's: an agent, a project, a binding, a connector, an interface. */
export const name: Kind<string> = text({ pattern: { rule: `a name (${NAME_RULE})`, test: NAME_PATTERN } });

/** A key that a manifest's author chose: a secret slot, a setting, an error code. */
export const slotName: Kind<string> = text({
  pattern: {
    rule: "1 to 64 of letters, digits, '_' and '-', starting with a letter",
    test: /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
  },
});

/** The name of an environment variable. */
export const envName: Kind<string> = text({
  pattern: {
    rule: "an environment variable's name (letters, digits and '_', not starting with a digit)",
    test: /^[A-Za-z_][A-Za-z0-9_]{0,127}$/,
  },
});

/** `true` or `false`. */
export const boolean: Kind<boolean> = leaf(
  "true or false",
  (value) => typeof value === "boolean" ? value : undefined,
);

/** A whole number within a range, both ends included. */
export function integer(range: { readonly min: number; readonly max: number }): Kind<number> {
  return leaf(`an integer from ${range.min} to ${range.max}`, (value) => {
    if (typeof value !== "bigint" || value < BigInt(range.min) || value > BigInt(range.max)) return undefined;
    return Number(value);
  });
}

/** Any number within a range, both ends included. */
export function number(range: { readonly min: number; readonly max: number }): Kind<number> {
  return leaf(`a number from ${range.min} to ${range.max}`, (value) => {
    if (typeof value !== "bigint" && typeof value !== "number") return undefined;
    const taken = Number(value);
    return taken >= range.min && taken <= range.max ? taken : undefined;
  });
}

/** One of some words; a problem names the nearest. */
export function oneOf<const W extends string>(...words: readonly W[]): Kind<W> {
  const rule = `one of ${words.map((word) => JSON.stringify(word)).join(", ")}`;
  return {
    rule,
    read(value, at) {
      const taken = words.find((word) => word === value);
      if (taken !== undefined) return taken;
      const near = typeof value === "string" ? nearest(value, words) : undefined;
      return at.problem(
        `must be ${rule}, found ${found(value)}`,
        near && `did you mean ${JSON.stringify(near)}?`,
      );
    },
  };
}

const UNITS: Readonly<Record<string, number>> = { "": 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** An amount of bytes: `"512m"`, `"1g"` (k, m, g of 1024), or a plain integer. */
export function size(range: { readonly min: number; readonly max: number }): Kind<number> {
  return leaf(`a size such as "512m" from ${sizeText(range.min)} to ${sizeText(range.max)}`, (value) => {
    const parts = /^([0-9]{1,12})([kmg]?)$/.exec(typeof value === "bigint" ? String(value) : sizeWord(value));
    if (!parts) return undefined;
    const bytes = Number(parts[1]) * (UNITS[parts[2] ?? ""] ?? 1);
    return bytes >= range.min && bytes <= range.max ? bytes : undefined;
  });
}

function sizeWord(value: unknown): string {
  return typeof value === "string" ? value.toLowerCase() : "";
}

/** Bytes in the largest unit that divides them: `512m`. */
export function sizeText(bytes: number): string {
  for (const unit of ["g", "m", "k"]) {
    const one = UNITS[unit] ?? 1;
    if (bytes >= one && bytes % one === 0) return `${bytes / one}${unit}`;
  }
  return String(bytes);
}
