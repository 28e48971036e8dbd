import { isObject } from "../base/mod.ts";
import { type FileFormat, isFileFormat } from "./formats.ts";
import { pointerStep, References, type Schema } from "./schema_walk.ts";

/** Whether a branch of a schema accepts a value. */
export type Guard = (value: unknown) => boolean;

/** A branch that counts only for values it accepts. */
export interface Branch {
  readonly accepts: Guard;
  readonly walker: Walker;
}

/** `if`, `then`, `else`. */
export interface Condition {
  readonly accepts: Guard;
  readonly then: Walker | undefined;
  readonly otherwise: Walker | undefined;
}

/** One schema, reduced to the ways on which a value of it can hold a file. */
export interface Walker {
  format: FileFormat | undefined;
  always: Walker[];
  branches: Branch[];
  conditions: Condition[];
  dependent: Map<string, Walker>;
  properties: Map<string, Walker>;
  patterns: [RegExp, Walker][];
  additional: Walker | undefined;
  isKnown: (key: string) => boolean;
  prefix: Map<number, Walker>;
  prefixLength: number;
  items: Walker | undefined;
  contains: Branch | undefined;
}

/** The walker of a schema's root; undefined where no file can stand in its values. */
export function buildWalkers(root: Schema, guard: (pointer: string) => Guard): Walker | undefined {
  const references = new References(root);
  return new Builder(references, guard, carriersOf(references)).walker(root, "");
}

/** All parts of a schema that a value's annotations can come through, with their pointers. */
function waysOf(
  references: References,
  schema: Schema,
  pointer: string,
): readonly { pointer: string; schema: Schema }[] {
  if (typeof schema === "boolean") return [];
  const ways: { pointer: string; schema: Schema }[] = [];
  const add = (part: unknown, at: string) => {
    if (isObject(part)) ways.push({ pointer: pointer + at, schema: part });
  };
  for (const ref of [schema["$ref"], schema["$dynamicRef"]]) {
    const target = typeof ref === "string" ? references.resolve(ref) : undefined;
    if (target) ways.push(target);
  }
  for (const key of SINGLE) add(schema[key], `/${key}`);
  for (const key of LISTS) {
    const list = schema[key];
    if (Array.isArray(list)) list.forEach((part, index) => add(part, `/${key}/${index}`));
  }
  for (const key of TABLES) {
    const table = schema[key];
    if (isObject(table)) {
      Object.keys(table).forEach((name) => add(table[name], `/${key}${pointerStep(name)}`));
    }
  }
  return ways;
}

const SINGLE = [
  "items",
  "contains",
  "additionalProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "if",
  "then",
  "else",
] as const;
const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems"] as const;
const TABLES = ["properties", "patternProperties", "dependentSchemas"] as const;

/** Every schema from which a file format can be reached; found backwards from those that have one. */
function carriersOf(references: References): ReadonlySet<Schema> {
  const from = new Map<Schema, Schema[]>();
  const seen = new Set<Schema>();
  const rest = [{ pointer: "", schema: references.root }];
  const found: Schema[] = [];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { schema, pointer } = next;
    if (seen.has(schema)) continue;
    seen.add(schema);
    if (typeof schema === "object" && isFileFormat(schema["format"])) found.push(schema);
    for (const way of waysOf(references, schema, pointer)) {
      const users = from.get(way.schema);
      if (users) users.push(schema);
      else from.set(way.schema, [schema]);
      rest.push(way);
    }
  }
  const carriers = new Set<Schema>();
  for (let next = found.pop(); next !== undefined; next = found.pop()) {
    if (carriers.has(next)) continue;
    carriers.add(next);
    found.push(...from.get(next) ?? []);
  }
  return carriers;
}

class Builder {
  readonly #made = new Map<Schema, Walker>();

  constructor(
    readonly references: References,
    readonly guard: (pointer: string) => Guard,
    readonly carriers: ReadonlySet<Schema>,
  ) {}

  walker(schema: unknown, pointer: string): Walker | undefined {
    if (!isObject(schema) || !this.carriers.has(schema)) return undefined;
    const made = this.#made.get(schema);
    if (made) return made;
    const walker = emptyWalker(schema);
    this.#made.set(schema, walker);
    this.#sameValue(walker, schema, pointer);
    this.#properties(walker, schema, pointer);
    this.#elements(walker, schema, pointer);
    return walker;
  }

  #sameValue(walker: Walker, schema: Record<string, unknown>, pointer: string): void {
    for (const ref of [schema["$ref"], schema["$dynamicRef"]]) {
      const target = typeof ref === "string" ? this.references.resolve(ref) : undefined;
      const next = target && this.walker(target.schema, target.pointer);
      if (next) walker.always.push(next);
    }
    for (const [index, part] of listOf(schema["allOf"])) {
      const next = this.walker(part, `${pointer}/allOf/${index}`);
      if (next) walker.always.push(next);
    }
    for (const keyword of ["anyOf", "oneOf"]) {
      for (const [index, part] of listOf(schema[keyword])) {
        const branch = this.#branch(part, `${pointer}/${keyword}/${index}`);
        if (branch) walker.branches.push(branch);
      }
    }
    this.#condition(walker, schema, pointer);
    for (const [key, part] of tableOf(schema["dependentSchemas"])) {
      const next = this.walker(part, `${pointer}/dependentSchemas${pointerStep(key)}`);
      if (next) walker.dependent.set(key, next);
    }
  }

  #branch(part: unknown, pointer: string): Branch | undefined {
    const walker = this.walker(part, pointer);
    return walker && { walker, accepts: this.guard(pointer) };
  }

  #condition(walker: Walker, schema: Record<string, unknown>, pointer: string): void {
    if (schema["if"] === undefined) return;
    const own = this.#branch(schema["if"], `${pointer}/if`);
    if (own) walker.branches.push(own);
    const then = this.walker(schema["then"], `${pointer}/then`);
    const otherwise = this.walker(schema["else"], `${pointer}/else`);
    if (then || otherwise) {
      walker.conditions.push({ accepts: this.guard(`${pointer}/if`), then, otherwise });
    }
  }

  #properties(walker: Walker, schema: Record<string, unknown>, pointer: string): void {
    for (const [key, part] of tableOf(schema["properties"])) {
      const next = this.walker(part, `${pointer}/properties${pointerStep(key)}`);
      if (next) walker.properties.set(key, next);
    }
    for (const [key, part] of tableOf(schema["patternProperties"])) {
      const next = this.walker(part, `${pointer}/patternProperties${pointerStep(key)}`);
      if (next) walker.patterns.push([new RegExp(key, "u"), next]);
    }
    for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
      walker.additional ??= this.walker(schema[keyword], `${pointer}/${keyword}`);
    }
  }

  #elements(walker: Walker, schema: Record<string, unknown>, pointer: string): void {
    for (const [index, part] of listOf(schema["prefixItems"])) {
      walker.prefixLength = index + 1;
      const next = this.walker(part, `${pointer}/prefixItems/${index}`);
      if (next) walker.prefix.set(index, next);
    }
    for (const keyword of ["items", "unevaluatedItems"]) {
      walker.items ??= this.walker(schema[keyword], `${pointer}/${keyword}`);
    }
    walker.contains = this.#branch(schema["contains"], `${pointer}/contains`);
  }
}

function emptyWalker(schema: Record<string, unknown>): Walker {
  const names = new Set(tableOf(schema["properties"]).map(([name]) => name));
  const patterns = tableOf(schema["patternProperties"]).map(([key]) => new RegExp(key, "u"));
  return {
    format: isFileFormat(schema["format"]) ? schema["format"] : undefined,
    always: [],
    branches: [],
    conditions: [],
    dependent: new Map(),
    properties: new Map(),
    patterns: [],
    additional: undefined,
    isKnown: (key) => names.has(key) || patterns.some((pattern) => pattern.test(key)),
    prefix: new Map(),
    prefixLength: 0,
    items: undefined,
    contains: undefined,
  };
}

function listOf(value: unknown): [number, unknown][] {
  return Array.isArray(value) ? value.map((part, index) => [index, part]) : [];
}

function tableOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}
