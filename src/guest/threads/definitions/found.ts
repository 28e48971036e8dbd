import type { DefinitionKind } from "../../spec/brand.ts";

/** Something that a file defines, as it was written. */
export interface Found {
  readonly kind: DefinitionKind;
  readonly file: string;
  /** Its name; the file's where its own is not usable. */
  readonly name: string;
  /** An effect is a list, the rest are objects. */
  readonly value: Written;
}

/** An object that somebody wrote: nothing is known of its fields. */
export type Written = Readonly<Record<string, unknown>>;

/** Everything that was found, and what files that could not be read keep to themselves. */
export interface Findings {
  readonly all: readonly Found[];
  /** Kinds with such a file whose names cannot be guessed: one that is missing may be in there. */
  readonly unread: ReadonlySet<DefinitionKind>;
  /** What such a file most likely defines. */
  readonly lost: readonly Pick<Found, "kind" | "name">[];
}

/** An object that somebody wrote, or none. */
export function written(value: unknown): Written {
  return typeof value === "object" && value !== null ? value as Written : {};
}

/** A list that somebody wrote, or none. */
export function writtenList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text that somebody wrote and that says something. */
export function writtenText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
