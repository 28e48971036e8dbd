import { errorText, HandlerError } from "../base/mod.ts";
import {
  nodeAt,
  type OutlineNode,
  type OutlineSection,
  outlineToml,
  type TomlOutline,
} from "./toml_outline.ts";
import { formatPath, tomlKey, type TomlPath } from "./toml_path.ts";
import { type EditValue, isEditTable, renderToml } from "./toml_render.ts";
import { parseToml } from "./toml_text.ts";
import { plainToml, sameToml, withoutEmpty, withoutValue, withValue } from "./toml_compare.ts";
import {
  addInline,
  addLine,
  dropLine,
  dropMember,
  dropSection,
  lineEnding,
  type Splice,
  spliced,
} from "./toml_splice.ts";

/**
 * The text with a key set to a value. What is there is changed in place and keeps the comment behind it; a new key is
 * added to the table it belongs to, in the way that table is written. All other letters stay as they are.
 *
 * @param path keys from the root; a number names an element of an array that is there
 * @throws {HandlerError} `invalid` where the text is no TOML, `conflict` where the key cannot be set without changing more
 */
export function setKey(text: string, path: TomlPath, value: EditValue): string {
  const document = parseToml(text, "the text to edit");
  return proved(
    text,
    set(text, path, value),
    path,
    (after) => sameToml(plainToml(after), withValue(document, path, value)),
  );
}

/**
 * The text without a key: its line and what follows on it, its place in an inline table, or its headers with their
 * lines. A text that has no such key comes back as it is.
 *
 * @throws {HandlerError} `invalid` where the text is no TOML, `conflict` where the key cannot be removed alone
 */
export function removeKey(text: string, path: TomlPath): string {
  const document = parseToml(text, "the text to edit");
  return proved(text, remove(text, path), path, (after) => {
    const meant = withoutEmpty(withoutValue(document, path), path);
    return sameToml(withoutEmpty(plainToml(after), path), meant);
  });
}

/** Gives the new text only where it says what was meant. */
function proved(
  before: string,
  after: string,
  path: TomlPath,
  asMeant: (document: ReturnType<typeof parseToml>) => boolean,
): string {
  if (after === before) return before;
  let good = false;
  let cause: unknown;
  try {
    good = asMeant(parseToml(after, "the edited text"));
  } catch (error) {
    cause = errorText(error);
  }
  if (!good) throw cannot(path, cause);
  return after;
}

function cannot(path: TomlPath, cause?: unknown): HandlerError {
  const message = `"${formatPath(path)}" cannot be changed without changing the rest of the file`;
  return new HandlerError("conflict", message, { hint: "change it in an editor", cause });
}

function set(text: string, path: TomlPath, value: EditValue): string {
  const outline = outlineToml(text);
  const node = nodeAt(outline, path);
  if (!node) return spliced(text, addition(text, outline, path, value));
  if (node.entry) {
    const { valueStart: start, valueEnd: end } = node.entry;
    return spliced(text, { start, end, text: renderToml(value) });
  }
  if (node.kind === "table" && isEditTable(value)) return setTable(text, node, path, value);
  return set(remove(text, path), path, value);
}

/** Gives a table that has lines of its own its new content key by key, so that comments between them stay. */
function setTable(
  text: string,
  node: OutlineNode,
  path: TomlPath,
  value: { readonly [key: string]: EditValue },
): string {
  const gone = [...node.children.keys()].filter((key) => !Object.hasOwn(value, key));
  const withNew = Object.entries(value).reduce((now, [key, part]) => set(now, [...path, key], part), text);
  return gone.reduce((now, key) => remove(now, [...path, key]), withNew);
}

/** Where a key that is not there belongs: in the nearest table that is. */
function addition(text: string, outline: TomlOutline, path: TomlPath, value: EditValue): Splice {
  let depth = path.length - 1;
  while (!nodeAt(outline, path.slice(0, depth))) depth--;
  const holder = nodeAt(outline, path.slice(0, depth)) as OutlineNode;
  const [key, ...rest] = path.slice(depth);
  if (typeof key !== "string" || rest.some((step) => typeof step !== "string")) throw cannot(path);
  const whole = rest.reduceRight<EditValue>((inner, step) => ({ [step]: inner }), value);
  return addTo(text, holder, path.slice(0, depth), `${tomlKey(key)} = ${renderToml(whole)}`) ?? refuse(path);
}

function refuse(path: TomlPath): never {
  throw cannot(path);
}

function addTo(text: string, holder: OutlineNode, path: TomlPath, member: string): Splice | undefined {
  if (holder.kind === "inline") return addInline(text, holder, member);
  if (holder.kind !== "table") return undefined;
  if (holder.section) return addLine(text, holder.section, member);
  if (!holder.dotted) return addHeader(text, path, member);
  const { host, prefix, lastEntry } = holder.dotted;
  const dotted = `${prefix}.${member}`;
  return "kind" in host ? addInline(text, host, dotted) : addLine(text, host, dotted, lastEntry);
}

/** A table that only its sub-tables' headers made gets a header of its own, at the end. */
function addHeader(text: string, path: TomlPath, member: string): Splice {
  const header = `[${path.map((step) => tomlKey(String(step))).join(".")}]`;
  const ending = lineEnding(text);
  const start = text.trimEnd().length;
  return { start, end: text.length, text: ["", "", header, member, ""].join(ending) };
}

/** Takes out what a path names, one piece of text at a time: a table may stand in many places. */
function remove(text: string, path: TomlPath): string {
  let now = text;
  for (;;) {
    const node = nodeAt(outlineToml(now), path);
    const piece = node && firstPiece(now, node);
    if (!piece) return now;
    now = spliced(now, piece);
    // what stands at an element's number after the element itself has gone is another one
    if (typeof path.at(-1) === "number" && (node.entry || piece.start <= (node.section?.start ?? -1))) {
      return now;
    }
  }
}

function firstPiece(text: string, node: OutlineNode): Splice | undefined {
  if (node.entry && node.host) {
    return "kind" in node.host ? dropMember(node.host, node.entry) : dropLine(text, node.entry);
  }
  const elsewhere = pieceBelow(text, node, node.section);
  return elsewhere ?? (node.section && dropSection(text, node.section));
}

/** A piece of a table that does not stand in the lines under its header. */
function pieceBelow(text: string, node: OutlineNode, lines: OutlineSection | undefined): Splice | undefined {
  for (const child of node.children.values()) {
    if (lines && child.entry && child.host === lines) continue;
    const inLines = lines !== undefined && !child.section && child.dotted?.host === lines;
    const piece = inLines ? pieceBelow(text, child, lines) : firstPiece(text, child);
    if (piece) return piece;
  }
  return undefined;
}
