import { formatter } from "./intl.ts";

/** What is put into a text. */
export type Values = Readonly<Record<string, string | number>>;

/**
 * Puts values into a text, in the two forms of ICU messages that the catalogue uses: `{name}`, and
 * `{n, plural, one {# row} other {# rows}}` by the language's own plural rules, with `=0 {…}` for an exact number. A
 * number is written as the language writes it.
 */
export function format(text: string, values: Values, language: string): string {
  let result = "", at = 0;
  while (at < text.length) {
    const open = text.indexOf("{", at);
    if (open === -1) return result + text.slice(at);
    const close = closing(text, open);
    result += text.slice(at, open) + filled(text.slice(open + 1, close), values, language);
    at = close + 1;
  }
  return result;
}

/** @internal The place of the bracket that closes the one at `open`. */
export function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  return text.length;
}

function filled(inside: string, values: Values, language: string): string {
  const plural = /^\s*(\w+)\s*,\s*plural\s*,/.exec(inside);
  const name = plural?.[1] ?? inside.trim();
  const value = values[name] ?? `{${name}}`;
  if (!plural) return written(value, language);
  const cases = casesOf(inside.slice(plural[0].length));
  const number = Number(value);
  const chosen = cases.get(`=${number}`) ?? cases.get(formatter(Intl.PluralRules, language).select(number)) ??
    cases.get("other");
  return format((chosen ?? "").replaceAll("#", written(number, language)), values, language);
}

function casesOf(text: string): ReadonlyMap<string, string> {
  const cases = new Map<string, string>();
  let at = 0;
  for (;;) {
    const open = text.indexOf("{", at);
    if (open === -1) return cases;
    const close = closing(text, open);
    cases.set(text.slice(at, open).trim(), text.slice(open + 1, close));
    at = close + 1;
  }
}

function written(value: string | number, language: string): string {
  return typeof value === "number" ? formatter(Intl.NumberFormat, language).format(value) : value;
}
