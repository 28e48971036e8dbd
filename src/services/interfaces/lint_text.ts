import { isObject } from "../../base/mod.ts";

/** A character that a reviewer does not see but a model may read, and where it stands. */
export interface HiddenCharacter {
  /** `U+200B` */
  readonly name: string;
  /** In UTF-16 units from the start. */
  readonly offset: number;
}

/**
 * Characters that may not stand in what a model reads: controls besides newline and tab, everything Unicode renders as
 * nothing (zero-width, bidi controls, soft hyphen, tags, variation selectors), line and paragraph separators, halves of
 * surrogate pairs, and what is no character. A text with them shows a person less than it tells the model.
 */
const HIDDEN =
  /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029\ufff9-\ufffb]|(?![\n\t])\p{Cc}/gu;

/** Every hidden character of a text, in order; a carriage return is one too: skills use plain newlines. */
export function hiddenCharacters(text: string): readonly HiddenCharacter[] {
  return Array.from(text.matchAll(HIDDEN), (match) => ({
    name: `U+${match[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`,
    offset: match.index,
  }));
}

/** A text within a JSON value. */
export interface FoundText {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** Every text of a JSON value, names of members too, with its path. */
export function textsOf(value: unknown, path: FoundText["path"] = []): readonly FoundText[] {
  if (typeof value === "string") return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((part, index) => textsOf(part, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => [
    { path: [...path, name], text: name },
    ...textsOf(part, [...path, name]),
  ]);
}

/** Every string of a JSON value, names of members left out. */
export function textValues(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (!Array.isArray(value) && !isObject(value)) return [];
  return Object.values(value).flatMap(textValues);
}
