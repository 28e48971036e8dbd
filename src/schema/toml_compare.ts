import type { EditValue } from "./toml_render.ts";
import { isEditTable } from "./toml_render.ts";
import type { TomlPath } from "./toml_path.ts";
import { isTable, type TomlTable, type TomlValue } from "./toml_text.ts";

/** A plain copy of a document, to be changed. */
export type Plain = string | bigint | number | boolean | Date | Plain[] | Map<string, Plain>;

/** The document as plain values; the order of keys does not count. */
export function plainToml(value: TomlValue): Plain {
  if (Array.isArray(value)) return value.map(plainToml);
  if (isTable(value)) return new Map(Object.entries(value).map(([key, part]) => [key, plainToml(part)]));
  return value as Plain;
}

/** A value to write as the parser would give it back. */
export function plainEdit(value: EditValue): Plain {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== "object") return value;
  if (!isEditTable(value)) return value.map(plainEdit);
  return new Map(Object.entries(value).map(([key, part]) => [key, plainEdit(part)]));
}

/** What a document is meant to be after a value is set. */
export function withValue(document: TomlTable, path: TomlPath, value: EditValue): Plain {
  const root = plainToml(document);
  let at = root;
  path.forEach((step, index) => {
    const last = index === path.length - 1;
    const next = child(at, step);
    if (last) put(at, step, plainEdit(value));
    else if (next instanceof Map || Array.isArray(next)) at = next;
    else put(at, step, at = new Map());
  });
  return root;
}

/** What a document is meant to be after a value is taken out; tables on the way that have become empty may stay or go. */
export function withoutValue(document: TomlTable, path: TomlPath): Plain {
  const root = plainToml(document);
  const parent = path.slice(0, -1).reduce<Plain | undefined>((at, step) => child(at, step), root);
  const last = path.at(-1);
  if (parent instanceof Map) parent.delete(String(last));
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  return root;
}

/** Takes away the tables along a path that hold nothing. */
export function withoutEmpty(document: Plain, path: TomlPath): Plain {
  for (let length = path.length - 1; length > 0; length--) {
    const holder = path.slice(0, length - 1).reduce<Plain | undefined>(
      (at, step) => child(at, step),
      document,
    );
    const step = path[length - 1];
    const table = child(holder, step);
    const empty = (table instanceof Map && table.size === 0) || (Array.isArray(table) && table.length === 0);
    if (empty && holder instanceof Map) holder.delete(String(step));
  }
  return document;
}

function child(value: Plain | undefined, step: string | number | undefined): Plain | undefined {
  if (value instanceof Map) return value.get(String(step));
  return Array.isArray(value) ? value[Number(step)] : undefined;
}

function put(holder: Plain, step: string | number, value: Plain): void {
  if (holder instanceof Map) holder.set(String(step), value);
  else if (Array.isArray(holder)) holder[Number(step)] = value;
}

/** Whether two documents say the same. */
export function sameToml(a: Plain | undefined, b: Plain | undefined): boolean {
  if (a instanceof Map && b instanceof Map) {
    return a.size === b.size && [...a].every(([key, part]) => b.has(key) && sameToml(part, b.get(key)));
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((part, index) => sameToml(part, b[index]));
  }
  if (a instanceof Date && b instanceof Date) return a.toISOString() === b.toISOString();
  return Object.is(a, b);
}
