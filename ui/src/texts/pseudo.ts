import { closing } from "./format.ts";

const LETTERS: Readonly<Record<string, string>> = {
  a: "á",
  e: "é",
  i: "í",
  o: "ó",
  u: "ú",
  y: "ý",
  c: "ç",
  n: "ñ",
  s: "š",
  z: "ž",
  A: "Á",
  E: "É",
  I: "Í",
  O: "Ó",
  U: "Ú",
  Y: "Ý",
  C: "Ç",
  N: "Ñ",
  S: "Š",
  Z: "Ž",
};

/**
 * English with other letters, 40 % longer, in brackets: whatever is shown without them is hard-wired, and what loses a
 * bracket is cut off. Values and the words of a plural's form stay as they are.
 */
export function pseudo(text: string): string {
  return `[${changed(text)}${"·".repeat(Math.ceil(text.length * 0.4))}]`;
}

function changed(text: string): string {
  let result = "", at = 0;
  while (at < text.length) {
    const open = text.indexOf("{", at), end = open === -1 ? text.length : open;
    result += text.slice(at, end).replace(/[A-Za-z]/g, (letter) => LETTERS[letter] ?? letter);
    if (open === -1) break;
    const close = closing(text, open);
    result += `{${inside(text.slice(open + 1, close))}}`;
    at = close + 1;
  }
  return result;
}

/** A value's name stays; of a plural the forms' texts are changed, each by itself. */
function inside(text: string): string {
  const head = /^\s*\w+\s*,\s*plural\s*,/.exec(text)?.[0];
  if (head === undefined) return text;
  let result = head, at = head.length;
  for (;;) {
    const open = text.indexOf("{", at);
    if (open === -1) return result + text.slice(at);
    const close = closing(text, open);
    result += `${text.slice(at, open)}{${changed(text.slice(open + 1, close))}}`;
    at = close + 1;
  }
}
