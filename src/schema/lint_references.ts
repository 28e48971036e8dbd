import { isObject } from "../base/mod.ts";
import { quoted } from "./found.ts";
import type { LintReport } from "./lint_problem.ts";
import { allSchemas, type References, type Schema, type Subschema } from "./schema_walk.ts";

/**
 * Every `$ref` stays in the schema and leads somewhere, and none leads in a ring that no value could end. A schema that
 * contains itself through a property or an item is fine: a tree is one.
 */
export function lintReferences(references: References, report: LintReport): void {
  const all = allSchemas(references.root);
  for (const part of all) lintTarget(part, references, report);
  lintRings(all, references, report);
  lintEndless(all, references, report);
}

function lintTarget({ pointer, schema }: Subschema, references: References, report: LintReport): void {
  if (typeof schema === "boolean" || schema["$ref"] === undefined) return;
  const ref = schema["$ref"];
  if (typeof ref !== "string") {
    report.add(pointer, "ref", `"$ref" must be a text, found ${ref === null ? "null" : typeof ref}`);
  } else if (!ref.startsWith("#")) {
    const hint = 'copy what it means into "$defs"; nothing is fetched';
    report.add(pointer, "ref", `"$ref" must stay in this schema, found ${quoted(ref)}`, hint);
  } else if (!references.resolve(ref)) {
    report.add(pointer, "ref", `"$ref" must lead to a schema, found ${quoted(ref)}, which leads nowhere`);
  }
}

/** The schemas that speak of the same value as this one. */
function samePlace(schema: Schema, references: References): readonly Schema[] {
  if (typeof schema === "boolean") return [];
  const ref = schema["$ref"];
  const target = typeof ref === "string" ? references.resolve(ref) : undefined;
  const lists = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? list.filter(isObject) : [];
  });
  const single = ["not", "if", "then", "else"].map((keyword) => schema[keyword]).filter(isObject);
  return [...target ? [target.schema] : [], ...lists, ...single];
}

/** References that lead back to the same value: whoever follows them never comes to a keyword that decides. */
function lintRings(all: readonly Subschema[], references: References, report: LintReport): void {
  const waiting = new Map(all.map((part) => [part.schema, 0]));
  const next = new Map(all.map((part) => [part.schema, samePlace(part.schema, references)]));
  for (const targets of next.values()) {
    for (const target of targets) waiting.set(target, (waiting.get(target) ?? 0) + 1);
  }
  const free = all.map((part) => part.schema).filter((schema) => waiting.get(schema) === 0);
  for (let schema = free.pop(); schema !== undefined; schema = free.pop()) {
    waiting.delete(schema);
    for (const target of next.get(schema) ?? []) {
      const left = (waiting.get(target) ?? 0) - 1;
      waiting.set(target, left);
      if (left === 0) free.push(target);
    }
  }
  const first = all.find(({ schema }) =>
    typeof schema === "object" && waiting.has(schema) && inRing(schema, next)
  );
  if (first) {
    report.add(first.pointer, "recursion", "must not refer to itself without a property or an item between");
  }
}

function inRing(start: Schema, next: ReadonlyMap<Schema, readonly Schema[]>): boolean {
  const seen = new Set<Schema>();
  const rest = [...next.get(start) ?? []];
  for (let schema = rest.pop(); schema !== undefined; schema = rest.pop()) {
    if (schema === start) return true;
    if (seen.has(schema)) continue;
    seen.add(schema);
    rest.push(...next.get(schema) ?? []);
  }
  return false;
}

/** Targets of references that require themselves, so that every value would have to hold another without end. */
function lintEndless(all: readonly Subschema[], references: References, report: LintReport): void {
  const ending = endingSchemas(all, references);
  const reported = new Set<Schema>();
  for (const { schema } of all) {
    const ref = typeof schema === "object" ? schema["$ref"] : undefined;
    const target = typeof ref === "string" ? references.resolve(ref) : undefined;
    if (!target || ending.has(target.schema) || reported.has(target.schema)) continue;
    reported.add(target.schema);
    const hint = 'leave it out of "required", or let it be null';
    report.add(
      target.pointer,
      "recursion",
      "must not require itself inside itself, no value could end",
      hint,
    );
  }
}

/** The schemas that some finite value fits, grown from those that need no other. */
function endingSchemas(all: readonly Subschema[], references: References): ReadonlySet<Schema> {
  const ending = new Set<Schema>();
  const users = new Map<Schema, Schema[]>();
  for (const { schema } of all) {
    for (const part of [...samePlace(schema, references), ...inside(schema)]) {
      const list = users.get(part);
      if (list) list.push(schema);
      else users.set(part, [schema]);
    }
  }
  const rest = all.map((part) => part.schema);
  for (let schema = rest.pop(); schema !== undefined; schema = rest.pop()) {
    if (ending.has(schema) || !ends(schema, references, ending)) continue;
    ending.add(schema);
    rest.push(...users.get(schema) ?? []);
  }
  return ending;
}

/** The schemas of a value's parts that must be there. */
function inside(schema: Schema): readonly Schema[] {
  if (typeof schema === "boolean") return [];
  return [...requiredProperties(schema), ...requiredItems(schema)];
}

function requiredProperties(schema: Readonly<Record<string, unknown>>): readonly Schema[] {
  const { required, properties } = schema;
  if (!Array.isArray(required) || !isObject(properties)) return [];
  return required.map((name) => properties[String(name)]).filter(isObject);
}

function requiredItems(schema: Readonly<Record<string, unknown>>): readonly Schema[] {
  const { items, prefixItems, minItems } = schema;
  const least = typeof minItems === "number" ? minItems : 0;
  const prefix = Array.isArray(prefixItems) ? prefixItems : [];
  return [...prefix.slice(0, least), ...least > prefix.length ? [items] : []].filter(isObject);
}

function ends(schema: Schema, references: References, ending: ReadonlySet<Schema>): boolean {
  if (typeof schema === "boolean") return true;
  const done = (part: unknown) => !isObject(part) || ending.has(part);
  const ref = schema["$ref"];
  if (typeof ref === "string" && !done(references.resolve(ref)?.schema)) return false;
  const { allOf, anyOf, oneOf } = schema;
  if (Array.isArray(allOf) && !allOf.every(done)) return false;
  if ([anyOf, oneOf].some((list) => Array.isArray(list) && list.length > 0 && !list.some(done))) return false;
  const types = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
  return types.some((type) => {
    if (type === "object") return requiredProperties(schema).every(done);
    return type === "array" ? requiredItems(schema).every(done) : true;
  });
}
