/** A set of code points as ranges, both ends included. */
export type CharSet = readonly (readonly [number, number])[];

/** A regular expression, reduced to what decides how long matching takes. */
export type PatternNode =
  | { readonly kind: "chars"; readonly set: CharSet }
  | { readonly kind: "empty" }
  | { readonly kind: "start" }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly branches: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly body: PatternNode; readonly min: number; readonly max: number };

/** A pattern uses what has no linear-time meaning. The message says what, as it stands after "uses". */
export class PatternRefused extends Error {}

const ALL: CharSet = [[0, 0x10ffff]];
const DIGIT: CharSet = [[48, 57]];
const WORD: CharSet = [[48, 57], [65, 90], [95, 95], [97, 122]];
const SPACE: CharSet = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const LINE_ENDS: CharSet = [[10, 10], [13, 13], [0x2028, 0x2029]];
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, "0": 0 };

/** The code points that are not in a set. */
export function complement(set: CharSet): CharSet {
  const sorted = set.toSorted((a, b) => a[0] - b[0]);
  const out: [number, number][] = [];
  let next = 0;
  for (const [low, high] of sorted) {
    if (low > next) out.push([next, low - 1]);
    next = Math.max(next, high + 1);
  }
  if (next <= 0x10ffff) out.push([next, 0x10ffff]);
  return out;
}

/**
 * Reads a pattern in the syntax of JavaScript's `u` flag, which the validators use. The pattern must be valid: try it with
 * `new RegExp` before.
 * @throws {PatternRefused} for back references and look-arounds
 */
export function parsePattern(pattern: string): PatternNode {
  return new Parser([...pattern]).choice();
}

class Parser {
  #at = 0;

  constructor(readonly chars: readonly string[]) {}

  choice(): PatternNode {
    const branches = [this.#sequence()];
    while (this.#take("|")) branches.push(this.#sequence());
    return branches.length === 1 ? branches[0] as PatternNode : { kind: "choice", branches };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.chars.length && this.#peek() !== "|" && this.#peek() !== ")") {
      parts.push(this.#quantified(this.#atom()));
    }
    return parts.length === 1 ? parts[0] as PatternNode : { kind: "sequence", parts };
  }

  #quantified(body: PatternNode): PatternNode {
    const range = this.#quantifier();
    if (!range) return body;
    this.#take("?");
    return { kind: "repeat", body, min: range[0], max: range[1] };
  }

  #quantifier(): readonly [number, number] | undefined {
    if (this.#take("*")) return [0, Infinity];
    if (this.#take("+")) return [1, Infinity];
    if (this.#take("?")) return [0, 1];
    if (!this.#take("{")) return undefined;
    const [min = "", max] = this.#until("}").split(",");
    return [Number(min), max === undefined ? Number(min) : max === "" ? Infinity : Number(max)];
  }

  #atom(): PatternNode {
    const char = this.#next();
    if (char === "^") return { kind: "start" };
    if (char === "$") return { kind: "empty" };
    if (char === ".") return { kind: "chars", set: complement(LINE_ENDS) };
    if (char === "(") return this.#group();
    if (char === "[") return { kind: "chars", set: this.#class() };
    if (char === "\\") return this.#escape();
    return { kind: "chars", set: single(char) };
  }

  #group(): PatternNode {
    if (this.#take("?")) {
      if (this.#take("<")) {
        if (this.#peek() === "=" || this.#peek() === "!") throw new PatternRefused("looking behind");
        this.#until(">");
      } else if (!this.#take(":")) {
        throw new PatternRefused(
          this.#peek() === "=" || this.#peek() === "!" ? "looking ahead" : "flags inside a group",
        );
      }
    }
    const inside = this.choice();
    this.#take(")");
    return inside;
  }

  #escape(): PatternNode {
    const char = this.#peek();
    if (char === "b" || char === "B") {
      this.#at++;
      return { kind: "empty" };
    }
    if (char === "k" || /[1-9]/.test(char)) throw new PatternRefused("a back reference");
    return { kind: "chars", set: this.#escapedSet() };
  }

  /** What an escape stands for, inside a class and outside. */
  #escapedSet(): CharSet {
    const char = this.#next();
    const classes: Readonly<Record<string, CharSet>> = { d: DIGIT, w: WORD, s: SPACE };
    const known = classes[char.toLowerCase()];
    if (known) return char === char.toLowerCase() ? known : complement(known);
    if (char === "p" || char === "P") {
      this.#until("}");
      return ALL; // what has the property is not looked up, so it may be anything
    }
    if (char === "x") return single(String.fromCodePoint(this.#hex(2)));
    if (char === "u") return this.#unicode();
    if (char === "c") return single(String.fromCodePoint(this.#next().charCodeAt(0) % 32));
    const control = CONTROLS[char];
    return control === undefined ? single(char) : [[control, control]];
  }

  #unicode(): CharSet {
    const point = this.#take("{") ? parseInt(this.#until("}"), 16) : this.#hex(4);
    const pair = this.chars.slice(this.#at, this.#at + 6).join("");
    const low = point >= 0xd800 && point < 0xdc00 ? /^\\u(d[c-f][0-9a-f]{2})$/i.exec(pair)?.[1] : undefined;
    if (!low) return [[point, point]];
    this.#at += 6;
    const whole = 0x10000 + (point - 0xd800) * 0x400 + parseInt(low, 16) - 0xdc00;
    return [[whole, whole]];
  }

  #class(): CharSet {
    const negated = this.#take("^");
    const set: (readonly [number, number])[] = [];
    while (this.#at < this.chars.length && this.#peek() !== "]") {
      const from = this.#classMember();
      if (this.#peek() === "-" && this.chars[this.#at + 1] !== "]") {
        this.#at++;
        set.push([from[0]?.[0] ?? 0, this.#classMember()[0]?.[0] ?? 0]);
      } else set.push(...from);
    }
    this.#take("]");
    return negated ? complement(set) : set;
  }

  #classMember(): CharSet {
    if (!this.#take("\\")) return single(this.#next());
    return this.#take("b") ? [[8, 8]] : this.#escapedSet();
  }

  #hex(digits: number): number {
    const text = this.chars.slice(this.#at, this.#at + digits).join("");
    this.#at += digits;
    return parseInt(text, 16);
  }

  #until(close: string): string {
    const end = this.chars.indexOf(close, this.#at);
    const text = this.chars.slice(this.#at, end).join("");
    this.#at = end + 1;
    return text;
  }

  #peek(): string {
    return this.chars[this.#at] ?? "";
  }

  #next(): string {
    return this.chars[this.#at++] ?? "";
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#at++;
    return true;
  }
}

function single(char: string): CharSet {
  const point = char.codePointAt(0) ?? 0;
  return [[point, point]];
}
