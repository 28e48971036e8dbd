import { isObject } from "../base/mod.ts";
import { DIALECT, patternsOf } from "./compile_schema.ts";
import { FORMATS } from "./formats.ts";
import { quoted } from "./found.ts";
import type { LintReport } from "./lint_problem.ts";
import { patternProblem } from "./pattern.ts";
import type { Subschema } from "./schema_walk.ts";

/**
 * The keywords that a tool's schema may use: what the tool declarations of the large model providers take, as their
 * documentation and their error messages tell (OpenAI's function calling and structured outputs, Anthropic's
 * `input_schema`, Google's `parametersJsonSchema`). A request with one schema that a provider refuses fails whole, with
 * every other tool in it; so an interface keeps to what all of them read.
 *
 * - Names and notes: `$schema`, `$defs`, `$ref`, `$comment`, `title`, `description`, `default`, `examples`, `deprecated`.
 * - Values: `type`, `enum`, `const`, and the limits of texts, numbers, arrays and objects. Where a provider does not
 *   enforce a limit it passes over it; the router enforces all.
 * - Structure: `properties`, `required`, `additionalProperties: false`, `items`, `prefixItems`, `anyOf`, `oneOf`, `allOf`.
 *
 * Not among them: `not`, `if`/`then`/`else`, `dependent*` (refused by OpenAI's strict mode, not known to Google's),
 * `patternProperties`, `propertyNames`, `unevaluated*`, `contains` (the same, and the first and third open an object),
 * `$id`, `$anchor`, `$dynamic*` (they change what a `$ref` means), `content*`, and the words of older drafts.
 */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...["$schema", "$defs", "$ref", "$comment", "title", "description", "default", "examples", "deprecated"],
  ...["type", "enum", "const", "properties", "required", "additionalProperties", "items", "prefixItems"],
  ...["anyOf", "oneOf", "allOf", "minItems", "maxItems", "uniqueItems", "minLength", "maxLength", "pattern"],
  ...["format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minProperties"],
  ...["maxProperties"],
]);

const HINTS: Readonly<Record<string, string>> = {
  definitions: 'the word of older drafts: write "$defs"',
  dependencies: "the word of older drafts, and no provider takes what replaced it",
  additionalItems: 'the word of older drafts: "items" is what comes after "prefixItems"',
  nullable: 'the word of OpenAPI: write "type": ["string", "null"]',
  $dynamicRef: 'write a plain "$ref"',
  $recursiveRef: 'write a plain "$ref"',
  $id: 'a "$ref" means this schema alone, so it needs no other name',
  $anchor: 'point to "#/$defs/…" instead',
  unevaluatedProperties: 'write the properties out, and "additionalProperties": false',
  if: 'say it by a "oneOf" of closed objects',
  not: 'say it by an "enum", or by a "oneOf" of closed objects',
  patternProperties: 'write a list of closed objects such as { "name", "value" }',
};

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];

/** What property names the providers take. */
const PROPERTY = /^[A-Za-z0-9_.-]{1,64}$/;

/** The rules that look at one schema and its own keywords. */
export function lintKeywords({ pointer, schema }: Subschema, report: LintReport): void {
  if (typeof schema === "boolean") return;
  for (const keyword of Object.keys(schema)) {
    if (KEYWORDS.has(keyword)) continue;
    const message = `must keep to the keywords that model providers take, found ${quoted(keyword)}`;
    report.add(pointer, "keyword", message, HINTS[keyword]);
  }
  lintDialect(pointer, schema, report);
  lintType(pointer, schema, report);
  lintRequired(pointer, schema, report);
  lintItems(pointer, schema, report);
  lintText(pointer, schema, report);
  lintNames(pointer, schema, report);
}

type Keywords = Readonly<Record<string, unknown>>;

function lintDialect(pointer: string, schema: Keywords, report: LintReport): void {
  const dialect = schema["$schema"];
  if (dialect === undefined) return;
  if (dialect !== DIALECT) {
    const shown = typeof dialect === "string" ? quoted(dialect) : typeof dialect;
    report.add(pointer, "dialect", `"$schema" must be "${DIALECT}", found ${shown}`, "leave it out");
  } else if (pointer !== "") {
    report.add(pointer, "dialect", '"$schema" must stand at the root only');
  }
}

function lintType(pointer: string, schema: Keywords, report: LintReport): void {
  const type = schema["type"];
  if (type === undefined) return;
  const all = Array.isArray(type) ? type : [type];
  const wrong = all.length === 0 || all.some((one) => !TYPES.includes(one)) || new Set(all).size < all.length;
  if (wrong) report.add(pointer, "type", `"type" must be one of ${TYPES.join(", ")}, or a list of them`);
}

function lintRequired(pointer: string, schema: Keywords, report: LintReport): void {
  const { required, properties } = schema;
  if (required === undefined) return;
  if (!Array.isArray(required) || required.some((name) => typeof name !== "string")) {
    const found = required === null ? "null" : typeof required;
    report.add(
      pointer,
      "required",
      `"required" must be a list of names, found ${found}`,
      "leave it out for none",
    );
    return;
  }
  if (new Set(required).size < required.length) {
    report.add(pointer, "required", '"required" must name each property once');
  }
  for (const name of isObject(properties) ? required : []) {
    if (Object.hasOwn(properties as object, name)) continue;
    report.add(pointer, "required", `"required" must name what "properties" declares, found ${quoted(name)}`);
  }
}

function lintItems(pointer: string, schema: Keywords, report: LintReport): void {
  const { items, type } = schema;
  if (Array.isArray(items)) {
    const hint = 'write "prefixItems" for a tuple, and "items" for what comes after it';
    report.add(pointer, "items", `"items" must be a schema, found a list, as older drafts had it`, hint);
  }
  const isArray = type === "array" || (Array.isArray(type) && type.includes("array"));
  if (isArray && items === undefined) {
    report.add(
      pointer,
      "items",
      'an array must have "items", found none',
      "model providers refuse one without",
    );
  }
}

function lintText(pointer: string, schema: Keywords, report: LintReport): void {
  const format = schema["format"];
  if (format !== undefined && !(typeof format === "string" && Object.hasOwn(FORMATS, format))) {
    const shown = typeof format === "string" ? quoted(format) : typeof format;
    const known = Object.keys(FORMATS).join(", ");
    report.add(pointer, "format", `"format" must be a known one, found ${shown}`, `known are ${known}`);
  }
  for (const pattern of patternsOf(schema)) {
    const problem = patternProblem(pattern);
    if (problem) report.add(pointer, "pattern", `the pattern ${quoted(pattern)} ${problem}`);
  }
}

function lintNames(pointer: string, schema: Keywords, report: LintReport): void {
  const properties = schema["properties"];
  if (!isObject(properties)) return;
  for (const name of Object.keys(properties)) {
    if (PROPERTY.test(name)) continue;
    const rule = "1 to 64 of letters, digits, '_', '.' and '-'";
    report.add(pointer, "name", `a property's name must be ${rule}, found ${quoted(name)}`);
  }
}
