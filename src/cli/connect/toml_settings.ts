import { HandlerError, isObject } from "../../base/mod.ts";
import { decodeToml, leaf, map, removeKey, text as anyText, tomlKey, tomlString } from "../../schema/mod.ts";
import type { ServerEntry } from "./client.ts";

/** Any document of TOML. */
const DOCUMENT = map(anyText({ empty: true }), leaf("a value", (value) => value));

/** The servers below `root`. @throws {ProblemList} for a broken text, with file and line */
export function tomlServers(text: string, file: string, root: string): Readonly<Record<string, unknown>> {
  const servers = documentOf(text, file)[root];
  return isObject(servers) ? servers : {};
}

/**
 * The text with a server as a section of its own, `[root.name]`, at its end; one of that name that is there is replaced.
 * A section leaves a person free to add more of them; a table on one line would not.
 * @throws {HandlerError} `conflict` where `root` is written on one line, which no section can add to
 */
export function setTomlServer(
  text: string,
  file: string,
  root: string,
  name: string,
  entry: ServerEntry,
): string {
  const without = removeKey(text, [root, name]);
  const eol = without.includes("\r\n") ? "\r\n" : "\n";
  const rows = Object.entries(entry).map(([key, value]) => `${tomlKey(key)} = ${written(value)}`);
  const gap = without.trim() === "" ? "" : without.endsWith("\n") ? eol : eol + eol;
  const section = [`[${tomlKey(root)}.${tomlKey(name)}]`, ...rows].join(eol) + eol;
  return proved(without, (without.trim() === "" ? "" : without) + gap + section, file, root, name);
}

/** The text without a server; as it is where there is none. */
export function removeTomlServer(text: string, file: string, root: string, name: string): string {
  documentOf(text, file);
  const without = removeKey(text, [root, name]);
  const wasLast = without !== text && text.startsWith(without);
  return wasLast ? without.replace(/(\r?\n)\r?\n$/, "$1") : without; // the gap that came with it
}

function documentOf(text: string, file: string): Readonly<Record<string, unknown>> {
  return decodeToml(text, { file, kind: undefined, shape: DOCUMENT });
}

function written(value: ServerEntry[string]): string {
  if (typeof value === "string") return tomlString(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${value.map((part) => written(part)).join(", ")}]`;
  const pairs = Object.entries(value).map(([key, part]) => `${tomlKey(key)} = ${written(part)}`);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

/** Gives the new text only where one server came and all else is as it was. */
function proved(before: string, after: string, file: string, root: string, name: string): string {
  try {
    const { [name]: _, ...servers } = tomlServers(after, file, root);
    const rest = { ...documentOf(after, file), [root]: servers };
    const meant = { ...documentOf(before, file), [root]: tomlServers(before, file, root) };
    if (shown(rest) === shown(meant)) return after;
  } catch {
    // the section does not fit into what is there
  }
  throw new HandlerError(
    "conflict",
    `${file}: the table ${root} is written in a way that no server can be added to`,
    {
      hint: `write it as sections, [${root}.NAME]`,
    },
  );
}

/** A document as a text to compare; the order of keys does not count, for sections may be apart. */
function shown(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "bigint") return `${part}n`;
    return isObject(part) && !(part instanceof Date)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  });
}
