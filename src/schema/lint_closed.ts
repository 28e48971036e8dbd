import { isObject } from "../base/mod.ts";
import { quoted } from "./found.ts";
import type { LintReport } from "./lint_problem.ts";
import { allSchemas, type References, type Schema, type Subschema } from "./schema_walk.ts";

type Keywords = Readonly<Record<string, unknown>>;

/** How a schema says, and why, that it takes any value: the one way to leave something open. */
const FREE_FORM = /^free-form: \S/;
const FREE_FORM_HINT = 'if it must take anything, say why: "$comment": "free-form: …"';

/**
 * Every object is closed (seed S2): it says `additionalProperties: false`, or leaves that to a union or a reference that
 * says it, or it narrows an object that says it. No schema takes just any value, unless it says why.
 */
export function lintClosed(references: References, report: LintReport): void {
  const covered = coveredParts(references.root);
  for (const part of allSchemas(references.root)) {
    if (covered.has(part.schema)) continue;
    if (typeof part.schema === "boolean") lintBoolean(part, report);
    else lintObject(part.pointer, part.schema, references, report);
  }
  for (const { pointer, schema } of allSchemas(references.root)) {
    if (typeof schema === "object") lintLayers(pointer, schema, references, report);
  }
}

function lintBoolean({ pointer, schema }: Subschema, report: LintReport): void {
  if (schema === false || pointer.endsWith("/additionalProperties")) return;
  report.add(pointer, "any", "must say what it takes, found true", FREE_FORM_HINT);
}

function lintObject(pointer: string, schema: Keywords, references: References, report: LintReport): void {
  if (typeof schema["$comment"] === "string" && FREE_FORM.test(schema["$comment"]) && !schema["properties"]) {
    return;
  }
  if (!isObjectSchema(schema)) {
    if (!saysSomething(schema)) report.add(pointer, "any", 'must have a "type", found none', FREE_FORM_HINT);
    return;
  }
  if (schema["additionalProperties"] === false || leavesItToOthers(schema, references)) return;
  const found = isObject(schema["additionalProperties"])
    ? "a schema"
    : String(schema["additionalProperties"] ?? "none");
  const hint = found === "a schema"
    ? 'a table of any names is a list of closed objects such as { "name", "value" }'
    : FREE_FORM_HINT;
  report.add(pointer, "closed", `an object must have "additionalProperties": false, found ${found}`, hint);
}

function isObjectSchema(schema: Keywords): boolean {
  const type = schema["type"];
  if (type === undefined) {
    return isObject(schema["properties"]) || schema["additionalProperties"] !== undefined;
  }
  return type === "object" || (Array.isArray(type) && type.includes("object"));
}

function saysSomething(schema: Keywords): boolean {
  return ["type", "$ref", "enum", "const", "anyOf", "oneOf", "allOf"].some((keyword) =>
    schema[keyword] !== undefined
  );
}

/** An object without properties of its own that is closed by what stands beside its type. */
function leavesItToOthers(schema: Keywords, references: References): boolean {
  if (schema["properties"] !== undefined || schema["additionalProperties"] !== undefined) return false;
  const closed = (part: unknown) => isClosed(part, references);
  const ref = schema["$ref"];
  if (typeof ref === "string" && closed(references.resolve(ref)?.schema)) return true;
  const lists = [schema["anyOf"], schema["oneOf"]].filter(Array.isArray);
  if (lists.some((list) => list.length > 0 && list.every(closed))) return true;
  return Array.isArray(schema["allOf"]) && schema["allOf"].some(closed);
}

/** Whether a branch is a closed object or no object at all; looks through one reference, as deep as unions need. */
function isClosed(part: unknown, references: References): boolean {
  const schema = target(part, references);
  if (!isObject(schema)) return schema === false;
  if (schema["additionalProperties"] === false) return true;
  const type = schema["type"];
  return typeof type === "string" && type !== "object";
}

function target(part: unknown, references: References): unknown {
  if (!isObject(part) || typeof part["$ref"] !== "string") return part;
  return references.resolve(part["$ref"])?.schema;
}

/** The parts that speak of the same value as a closed object and so need not be closed again. */
function coveredParts(root: Schema): ReadonlySet<Schema> {
  const covered = new Set<Schema>();
  for (const { schema } of allSchemas(root)) {
    if (typeof schema === "boolean") continue;
    if (schema["additionalProperties"] !== false && !covered.has(schema)) continue;
    for (const keyword of ["anyOf", "oneOf", "allOf"]) {
      const list = schema[keyword];
      if (Array.isArray(list)) list.forEach((part) => covered.add(part));
    }
  }
  return covered;
}

/** One closed or open object among several that the same value must fit. */
interface Layer {
  readonly names: readonly string[];
  readonly closed: boolean;
}

/** Closed objects laid over each other accept only what all of them declare, which is next to nothing. */
function lintLayers(pointer: string, schema: Keywords, references: References, report: LintReport): void {
  const all = listOf(schema["allOf"]);
  const own = [schema, ...all, ...typeof schema["$ref"] === "string" ? [{ $ref: schema["$ref"] }] : []];
  const layers = own.map((part) => layer(part === schema ? part : target(part, references)));
  const clash = clashing(layers);
  if (clash !== undefined) {
    const keyword = all.length > 0 ? "allOf" : "$ref";
    report.add(
      pointer,
      "all-of",
      allOfMessage(keyword, clash),
      "write the properties out in one closed object",
    );
    return;
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    for (const branch of listOf(schema[keyword])) {
      const name = clashing([layer(schema), layer(target(branch, references))]);
      if (name === undefined) continue;
      report.add(pointer, "all-of", allOfMessage(keyword, name), "declare all properties in each branch");
      break;
    }
  }
}

function allOfMessage(keyword: string, name: string): string {
  return `must not lay closed objects over each other ("${keyword}"): one of them refuses ${quoted(name)}`;
}

/** A property that one layer declares and another one refuses. */
function clashing(layers: readonly Layer[]): string | undefined {
  for (const closed of layers.filter((one) => one.closed)) {
    for (const other of layers) {
      const refused = other.names.find((name) => !closed.names.includes(name));
      if (refused !== undefined) return refused;
    }
  }
  return undefined;
}

function layer(schema: unknown): Layer {
  if (!isObject(schema)) return { names: [], closed: false };
  const names = isObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  return { names, closed: schema["additionalProperties"] === false };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
