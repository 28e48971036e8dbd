import { parse, type ParseError } from "jsonc-parser";
import { HandlerError, isObject, type Json } from "../../base/mod.ts";
import { type JsonNode, jsonTree, member, problem } from "./jsonc.ts";

/** Text to put in place of a range. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** How the text is written: its line ends and its step of indentation. */
interface Manner {
  readonly eol: string;
  readonly step: string;
}

/**
 * The text with `root.name` set. Every other letter stays: entries, comments, order, line ends.
 * @throws {HandlerError} `invalid` where the text cannot be read, `conflict` where it cannot be changed without harm
 */
export function setMember(text: string, file: string, root: string, name: string, value: Json): string {
  const manner = mannerOf(text);
  const tree = jsonTree(text, file);
  if (!tree) return render({ [root]: { [name]: value } }, "", manner) + manner.eol;
  const parent = member(tree, root, text, file);
  if (!parent) {
    return proved(text, [...insertion(text, tree, root, { [name]: value }, manner)], root, name, value);
  }
  const object = objectOf(parent, text, file, root);
  const there = member(object, name, text, file);
  const splices = there
    ? [replacement(text, there, value, manner)]
    : insertion(text, object, name, value, manner);
  return proved(text, splices, root, name, value);
}

/** The text without `root.name`; one that has no such key comes back as it is. */
export function removeMember(text: string, file: string, root: string, name: string): string {
  const tree = jsonTree(text, file);
  const parent = tree && member(tree, root, text, file);
  if (!parent) return text;
  const object = objectOf(parent, text, file, root);
  const there = member(object, name, text, file);
  if (!there) return text;
  return proved(text, removal(text, object, there), root, name, undefined);
}

/** The members of `root` as values; none where there is no such key. */
export function membersOf(text: string, file: string, root: string): Readonly<Record<string, unknown>> {
  const tree = jsonTree(text, file);
  const parent = tree && member(tree, root, text, file);
  if (!parent) return {};
  objectOf(parent, text, file, root);
  const whole = readJson(text);
  const found = isObject(whole) ? whole[root] : undefined;
  return isObject(found) ? found : {};
}

function objectOf(property: JsonNode, text: string, file: string, key: string): JsonNode {
  const value = property.children?.[1];
  if (value?.type === "object") return value;
  throw problem(text, file, value?.offset ?? property.offset, "must be an object of JSON", key);
}

function replacement(text: string, property: JsonNode, value: Json, manner: Manner): Splice {
  const node = property.children?.[1] ?? property;
  const inline = !text.slice(node.offset, node.offset + node.length).includes("\n");
  const shown = inline ? JSON.stringify(value) : render(value, lineIndent(text, property.offset), manner);
  return { from: node.offset, to: node.offset + node.length, text: shown };
}

/** A new last member. What stands behind the one before it on its line, a comment say, stays with that. */
function insertion(
  text: string,
  object: JsonNode,
  key: string,
  value: Json,
  manner: Manner,
): readonly Splice[] {
  const close = object.offset + object.length - 1;
  const outer = lineIndent(text, object.offset);
  const last = object.children?.at(-1);
  if (!last) return [firstMember(text, object.offset + 1, close, outer, key, value, manner)];
  const end = last.offset + last.length;
  const comma = commaBehind(text, end, close);
  const joined = comma === undefined ? [{ from: end, to: end, text: "," }] : [];
  const lineEnd = endOfLine(text, comma ?? end);
  if (lineEnd > close) {
    const at = comma === undefined ? end : comma + 1;
    return [...joined, { from: at, to: at, text: ` ${JSON.stringify(key)}: ${JSON.stringify(value)}` }];
  }
  const indent = lineIndent(text, last.offset);
  const line = `${manner.eol}${indent}${JSON.stringify(key)}: ${render(value, indent, manner)}`;
  return [...joined, { from: lineEnd, to: lineEnd, text: comma === undefined ? line : `${line},` }];
}

function firstMember(
  text: string,
  open: number,
  close: number,
  outer: string,
  key: string,
  value: Json,
  manner: Manner,
): Splice {
  const indent = outer + manner.step;
  const kept = text.slice(open, close).trimEnd();
  const member = `${indent}${JSON.stringify(key)}: ${render(value, indent, manner)}`;
  return { from: open + kept.length, to: close, text: `${manner.eol}${member}${manner.eol}${outer}` };
}

/** A member on lines of its own goes with them; else it goes with one comma. */
function removal(text: string, object: JsonNode, property: JsonNode): readonly Splice[] {
  const siblings = object.children ?? [];
  const place = siblings.indexOf(property);
  const before = siblings[place - 1];
  const end = property.offset + property.length;
  const close = object.offset + object.length - 1;
  const comma = commaBehind(text, end, siblings[place + 1]?.offset ?? close);
  const splices: Splice[] = [];
  if (place === siblings.length - 1 && before && comma === undefined) {
    const old = commaBehind(text, before.offset + before.length, property.offset);
    if (old !== undefined) splices.push({ from: old, to: old + 1, text: "" });
  }
  const behind = comma === undefined ? end : comma + 1;
  const lineStart = text.lastIndexOf("\n", property.offset - 1) + 1;
  const lineEnd = text.indexOf("\n", behind);
  const alone = text.slice(lineStart, property.offset).trim() === "" && lineEnd !== -1 && lineEnd < close &&
    text.slice(behind, lineEnd).trim() === "";
  if (alone) return [...splices, { from: lineStart, to: lineEnd + 1, text: "" }];
  const space = /[ \t]*$/.exec(text.slice(lineStart, property.offset))?.[0].length ?? 0;
  return [...splices, { from: property.offset - space, to: behind, text: "" }];
}

/** Where the comma behind a member is, comments left aside; undefined where there is none. */
function commaBehind(text: string, from: number, to: number): number | undefined {
  for (let at = from; at < to; at++) {
    if (text.startsWith("//", at)) at = endOfLine(text, at) - 1;
    else if (text.startsWith("/*", at)) at = text.indexOf("*/", at + 2) + 1;
    else if (text[at] === ",") return at;
  }
  return undefined;
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  if (newline === -1) return text.length;
  return text[newline - 1] === "\r" ? newline - 1 : newline;
}

function lineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

function mannerOf(text: string): Manner {
  const step = /^\uFEFF?\s*\{[^\n]*\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
  return { eol: text.includes("\r\n") ? "\r\n" : "\n", step };
}

function render(value: Json, indent: string, { eol, step }: Manner): string {
  return JSON.stringify(value, null, step).replaceAll("\n", eol + indent);
}

/** Gives the new text only where it can be read, says what was meant and nothing else. */
function proved(
  text: string,
  splices: readonly Splice[],
  root: string,
  name: string,
  value: Json | undefined,
): string {
  const after = spliced(text, splices);
  const whole = readJson(text);
  const before = isObject(whole) ? whole : {};
  const old = isObject(before[root]) ? before[root] : {};
  const { [name]: _, ...others } = old;
  const meant = { ...before, [root]: value === undefined ? others : { ...old, [name]: value } };
  if (JSON.stringify(readJson(after)) === JSON.stringify(meant)) return after;
  throw new HandlerError("conflict", `the key ${root}.${name} cannot be changed without changing more`);
}

/** The text with its splices, in their order where they stand at one place. */
function spliced(text: string, splices: readonly Splice[]): string {
  let [after, at] = ["", 0];
  for (const { from, to, text: fresh } of splices.toSorted((a, b) => a.from - b.from)) {
    after += text.slice(at, from) + fresh;
    at = to;
  }
  return after + text.slice(at);
}

/** The value of a text; undefined where it has an error. */
function readJson(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 ? value : undefined;
}
