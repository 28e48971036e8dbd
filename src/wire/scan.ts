import { utf8Text } from "../base/mod.ts";

/** A stretch of a message's bytes. */
export interface Span {
  readonly start: number;
  /** One past the last byte. */
  readonly end: number;
}

/** Where the parts of a message stand in its bytes, found in one pass without building a value. */
export interface Scan {
  /** How many members all objects of the message have together, repeated names counted each time. */
  readonly memberCount: number;
  /** False where no object has a name twice for sure; else {@linkcode countMembers} tells. */
  readonly mayRepeat: boolean;
  /** The value of a member of the top object, as `id`, or of an object right in it, as `params` `arguments`: ASCII. */
  find(name: string, below?: string): Span | undefined;
}

/** Why a message was refused before it was parsed. */
export class ScanError extends Error {
  override readonly name = "ScanError";
}

/** The deepest nesting that a message may have (contract S.11). */
export const MAX_DEPTH = 64;

const QUOTE = 0x22, COMMA = 0x2c, COLON = 0x3a, OPEN_LIST = 0x5b, BACKSLASH = 0x5c, CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b, CLOSE_OBJECT = 0x7d;

/** The ends of strings up to this long are looked for by hand: a call of `indexOf` costs more. */
const SHORT = 32;

/** The members of the first two levels stand one after the other in one list: level, name's start and end, value's. */
const FIELDS = 5;

/** Chosen so that MCP's own names, and those of many results, get different marks within one object. */
const MARKING = 129;

/** Stands for a list in the place of the marks of an object's names, which are never negative. */
const LIST = -1;

// A scan is over before another one begins, so all of them share this memory.
/** Per level: the member whose value is being read, or -1. */
const open = new Int32Array(2);
/** Per open bracket: the marks of the object's names so far, or LIST. */
const marks = new Int32Array(MAX_DEPTH);

/**
 * Finds the members of a JSON object's first two levels, counts all members and refuses what nests too deep, in time
 * linear in the bytes. It does not prove that they are JSON: `JSON.parse` does that afterwards.
 *
 * @param text what the bytes say in UTF-8
 * @throws {ScanError} nesting over {@linkcode MAX_DEPTH}, a string without end
 */
export function scanMessage(bytes: Uint8Array, text: string): Scan {
  const members: number[] = [];
  open[0] = open[1] = -1;
  let depth = 0, memberCount = 0, mayRepeat = false, nameFrom = 0, nameTo = 0, mark = 0;

  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE: {
        nameFrom = at;
        let sum = 0, byte = bytes[++at];
        for (const near = at + SHORT; byte !== QUOTE && byte !== BACKSLASH && at < near; byte = bytes[++at]) {
          sum = sum * MARKING + byte! | 0;
        }
        mark = byte === QUOTE ? 1 << (sum >>> 0) % 31 : 0;
        if (mark === 0) at = farEnd(bytes, text, at);
        nameTo = at + 1;
        break;
      }
      case OPEN_OBJECT:
      case OPEN_LIST:
        if (depth === MAX_DEPTH) throw new ScanError(`the message nests more than ${MAX_DEPTH} levels deep`);
        marks[depth++] = bytes[at] === OPEN_LIST ? LIST : 0;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        if (--depth < 0) throw new ScanError("a bracket closes that was never opened");
        if (depth < 2) close(members, depth, at);
        break;
      case COMMA:
        if (depth === 1 || depth === 2) close(members, depth - 1, at);
        break;
      case COLON: {
        memberCount++;
        if (depth === 0) break; // no JSON
        const known = marks[depth - 1]!;
        // names of one object with different marks are different names; 0 has what is long or may be written otherwise
        if (mark === 0 || (known & mark) !== 0) mayRepeat = true;
        else marks[depth - 1] = known | mark;
        if (depth > 2 || known === LIST || marks[0] === LIST) break;
        open[depth - 1] = members.push(depth, nameFrom, nameTo, at + 1, -1) - FIELDS;
      }
    }
  }
  return { memberCount, mayRepeat, find: (name, below) => find(bytes, members, name, below) };
}

function close(members: number[], level: number, end: number): void {
  const member = open[level]!;
  if (member === -1) return;
  members[member + 4] = end;
  open[level] = -1;
}

/** The index of the quote that ends the string which `from` stands in. */
function farEnd(bytes: Uint8Array, text: string, from: number): number {
  // a text is searched much quicker than bytes are; its places are theirs where every character is one byte
  const next = text.length === bytes.length
    ? (at: number) => text.indexOf('"', at)
    : (at: number) => bytes.indexOf(QUOTE, at);
  for (let at = next(from); at !== -1; at = next(at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
  throw new ScanError("a string has no end");
}

function find(bytes: Uint8Array, members: readonly number[], name: string, below?: string): Span | undefined {
  const wanted = below === undefined ? 1 : 2;
  for (let at = 0, inside = false; at < members.length; at += FIELDS) {
    const level = members[at]!;
    const isNamed = isName(bytes, members[at + 1]!, members[at + 2]!, level === 1 ? name : below ?? "");
    if (level === 1) inside = isNamed;
    if (inside && isNamed && level === wanted && members[at + 4] !== -1) {
      return trimmed(bytes, members[at + 3]!, members[at + 4]!);
    }
  }
  return undefined;
}

function isName(bytes: Uint8Array, from: number, to: number, name: string): boolean {
  let at = from + 1;
  for (let i = 0; i < name.length && bytes[at] === name.charCodeAt(i); i++) at++;
  if (at === to - 1 && to - from === name.length + 2) return true;
  const written = bytes.subarray(from, to);
  return written.includes(BACKSLASH) && parsedName(utf8Text(written)) === name;
}

function parsedName(written: string): string | undefined {
  try {
    return JSON.parse(written);
  } catch {
    return undefined; // the whole is no JSON then, which its parser says
  }
}

function trimmed(bytes: Uint8Array, from: number, to: number): Span {
  let start = from, end = to;
  while (start < end && isSpace(bytes[start]!)) start++;
  while (end > start && isSpace(bytes[end - 1]!)) end--;
  return { start, end };
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/**
 * How many members a parsed value has in all its objects. Fewer than {@linkcode Scan.memberCount} means that an object
 * of the text had a name twice, of which `JSON.parse` keeps the last.
 */
export function countMembers(value: unknown): number {
  let count = 0;
  // a stack of its own: eight times quicker than recursion on what a page of text looks like
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const at = stack.pop();
    if (Array.isArray(at)) {
      for (let i = 0; i < at.length; i++) if (typeof at[i] === "object") stack.push(at[i]);
      continue;
    }
    if (typeof at !== "object" || at === null) continue;
    for (const name in at) {
      count++;
      const part = (at as Record<string, unknown>)[name];
      if (typeof part === "object") stack.push(part);
    }
  }
  return count;
}
