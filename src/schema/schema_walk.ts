import { isObject } from "../base/mod.ts";

/** A JSON Schema: an object, or `true` for all and `false` for nothing. */
export type Schema = boolean | { readonly [keyword: string]: unknown };

/** Keywords whose value is a schema. */
export const ONE_SCHEMA = [
  "items",
  "contains",
  "additionalProperties",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
  "not",
  "if",
  "then",
  "else",
  "contentSchema",
] as const;

/** Keywords whose value is a list of schemas. */
export const SCHEMA_LIST = ["allOf", "anyOf", "oneOf", "prefixItems"] as const;

/** Keywords whose value is a table of schemas. */
export const SCHEMA_MAP = [
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
] as const;

/** A schema inside another, and the JSON pointer that leads to it. */
export interface Subschema {
  readonly pointer: string;
  readonly schema: Schema;
}

/** Whether a value can be a schema at all. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === "boolean" || isObject(value);
}

/** One step of a JSON pointer, with `~` and `/` written as RFC 6901 asks. */
export function pointerStep(key: string | number): string {
  return "/" + String(key).replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The schemas directly inside a schema. */
export function parts(schema: Schema): readonly Subschema[] {
  if (typeof schema === "boolean") return [];
  const found: Subschema[] = [];
  const add = (pointer: string, value: unknown) => {
    if (isSchema(value)) found.push({ pointer, schema: value });
  };
  for (const keyword of ONE_SCHEMA) add(`/${keyword}`, schema[keyword]);
  for (const keyword of SCHEMA_LIST) {
    const list = schema[keyword];
    if (Array.isArray(list)) list.forEach((part, index) => add(`/${keyword}/${index}`, part));
  }
  for (const keyword of SCHEMA_MAP) {
    const table = schema[keyword];
    if (!isObject(table)) continue;
    for (const [key, part] of Object.entries(table)) add(`/${keyword}${pointerStep(key)}`, part);
  }
  return found;
}

/** A schema and every schema in it, each once, in the order of reading. */
export function allSchemas(root: Schema): readonly Subschema[] {
  const found: Subschema[] = [];
  const rest: Subschema[] = [{ pointer: "", schema: root }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    found.push(next);
    const { pointer, schema } = next;
    rest.push(...parts(schema).map((part) => ({ ...part, pointer: pointer + part.pointer })).reverse());
  }
  return found;
}

/** Follows the references inside one schema. */
export class References {
  #anchors: ReadonlyMap<unknown, Subschema> | undefined;

  constructor(readonly root: Schema) {}

  /** What a `$ref` means: `#`, `#/a/pointer` or `#anchor`; undefined for any other and for one that dangles. */
  resolve(ref: string): Subschema | undefined {
    if (!ref.startsWith("#")) return undefined;
    const fragment = decodeFragment(ref.slice(1));
    if (fragment === undefined) return undefined;
    if (fragment === "" || fragment.startsWith("/")) return this.#pointer(fragment);
    this.#anchors ??= new Map(
      allSchemas(this.root).map((part) => [typeof part.schema === "object" && part.schema["$anchor"], part]),
    );
    return this.#anchors.get(fragment);
  }

  #pointer(pointer: string): Subschema | undefined {
    let value: unknown = this.root;
    for (const step of pointer.split("/").slice(1)) {
      const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
      value = (value as Record<string, unknown>)[key];
    }
    return isSchema(value) ? { pointer, schema: value } : undefined;
  }
}

function decodeFragment(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
