import type { OutlineEntry, OutlineNode, OutlineSection } from "./toml_outline.ts";

/** A change of a text: what stands between two offsets gives way. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text after a change. */
export function spliced(text: string, { start, end, text: fresh }: Splice): string {
  return text.slice(0, start) + fresh + text.slice(end);
}

/** How the file ends its lines. */
export function lineEnding(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** The offset after the line feed that ends the line of `offset`, or the text's length. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** The blanks in front of what stands first on the line of `offset`. */
function indentOf(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? "";
}

/** Adds `key = value` as a line of its own after the line on which something ends. */
function lineAfter(text: string, end: number, indent: string, line: string): Splice {
  const at = nextLine(text, end);
  const ending = lineEnding(text);
  const before = at > 0 && text[at - 1] !== "\n" ? ending : "";
  return { start: at, end: at, text: `${before}${indent}${line}${ending}` };
}

/** Adds `key = value` to the lines under a header, after the last of them. */
export function addLine(text: string, section: OutlineSection, line: string, after?: OutlineEntry): Splice {
  const last = after ?? section.entries.at(-1);
  if (last) return lineAfter(text, last.valueEnd, indentOf(text, last.start), line);
  if (section.headerEnd > section.start) {
    return lineAfter(text, section.headerEnd, indentOf(text, section.start), line);
  }
  return addFirstLine(text, line);
}

/**
 * The first line of a document that has none before its first header: below the comment at the file's head, or above it
 * where the comment belongs to a header.
 */
function addFirstLine(text: string, line: string): Splice {
  const ending = lineEnding(text);
  const mark = text.startsWith("\ufeff") ? 1 : 0;
  const head = mark + (/^(?:[ \t]*#[^\n]*(?:\n|$))*/.exec(text.slice(mark))?.[0].length ?? 0);
  const at = /^[ \t]*\[/.test(text.slice(head)) ? mark : head;
  const before = at > mark && text[at - 1] !== "\n" ? ending : "";
  const after = /^[ \t]*(?:\r?\n|$)/.test(text.slice(at)) ? "" : ending;
  return { start: at, end: at, text: `${before}${line}${ending}${after}` };
}

/** Adds `key = value` to an inline table, on a line of its own where the last entry has one. */
export function addInline(text: string, table: OutlineNode, member: string): Splice {
  const last = table.entries.at(-1);
  const entry = table.entry as OutlineEntry;
  if (!last) return { start: entry.valueStart, end: entry.valueEnd, text: `{ ${member} }` };
  const start = lineStart(text, last.start);
  const alone = start > table.at && text.slice(start, last.start).trim() === "";
  const between = alone ? `,${lineEnding(text)}${indentOf(text, last.start)}` : ", ";
  return { start: last.valueEnd, end: last.valueEnd, text: between + member };
}

/** Takes a `key = value` line out, with what follows it on the line. */
export function dropLine(text: string, entry: OutlineEntry): Splice {
  return { start: lineStart(text, entry.start), end: nextLine(text, entry.valueEnd), text: "" };
}

/** Takes an entry out of an inline table or an array, with one comma. */
export function dropMember(holder: OutlineNode, entry: OutlineEntry): Splice {
  const at = holder.entries.indexOf(entry);
  const next = holder.entries[at + 1];
  const before = holder.entries[at - 1];
  if (next) return { start: entry.start, end: next.start, text: "" };
  if (before) return { start: before.valueEnd, end: entry.valueEnd, text: "" };
  const { valueStart, valueEnd } = holder.entry as OutlineEntry;
  return { start: valueStart, end: valueEnd, text: holder.kind === "array" ? "[]" : "{}" };
}

/** Takes a header and its lines out, down to the last `key = value`; comments further down stay. */
export function dropSection(text: string, section: OutlineSection): Splice {
  const last = section.entries.at(-1)?.valueEnd ?? section.headerEnd;
  const start = lineStart(text, section.start);
  const end = nextLine(text, last);
  const gap = /^[ \t]*\r?\n/.exec(text.slice(end))?.[0].length ?? 0;
  const blankBefore = start === 0 || /\n[ \t]*\r?\n$/.test(text.slice(0, start));
  return { start, end: blankBefore ? end + gap : end, text: "" };
}
