import { isObject, type Json } from "../../base/mod.ts";

/** What a template reads from. */
export interface TemplateSource {
  /** The tool's data: its structured content, else its text where that is JSON. */
  readonly data: unknown;
  /** The result's content blocks. */
  readonly content: readonly unknown[];
  /** The texts of those blocks, joined by line feeds. */
  readonly text: string;
}

/**
 * Builds a result from a template, which is JSON:
 *
 * - `"/pages/0/text"` is a JSON pointer (RFC 6901) into the data, or into the element at hand inside `$each`;
 * - `"$value"` is the data or that element itself, `"$text"` the joined text, `"$content"` the content blocks;
 * - `{ "$each": "/pages", … }` is a list: the rest of the object is the template of each element of what `$each` names;
 *   `{ "$each": "/lines", "$as": "$value" }` where the elements are to become something else than objects;
 * - `{ "$literal": … }` is what it holds; so are numbers, booleans, null and texts that start with neither `/` nor `$`;
 * - any other object or list is built part by part.
 *
 * What a pointer does not find is left out of its object or list; undefined where that is the whole result.
 */
export function fill(template: unknown, source: TemplateSource): Json | undefined {
  if (template === undefined) return source.data as Json | undefined;
  return build(template, source.data, source);
}

function build(template: unknown, here: unknown, source: TemplateSource): Json | undefined {
  if (typeof template === "string") return lookUp(template, here, source) as Json | undefined;
  if (Array.isArray(template)) return list(template.map((part) => build(part, here, source)));
  if (!isObject(template)) return template as Json;
  if ("$literal" in template) return template["$literal"] as Json;
  if ("$each" in template) return each(template, here, source);
  return object(Object.entries(template).map(([key, part]) => [key, build(part, here, source)]));
}

function each(template: { [key: string]: unknown }, here: unknown, source: TemplateSource): Json | undefined {
  const { $each, $as, ...fields } = template;
  const elements = lookUp(String($each), here, source);
  if (!Array.isArray(elements)) return undefined;
  return list(elements.map((element) => build($as ?? fields, element, source)));
}

function lookUp(path: string, here: unknown, source: TemplateSource): unknown {
  if (path === "$value") return here;
  if (path === "$text") return source.text;
  if (path === "$content") return source.content;
  return path.startsWith("/") ? pointer(path, here) : path;
}

/** RFC 6901, without the empty pointer (`$value` is that). */
function pointer(path: string, here: unknown): unknown {
  const steps = path.slice(1).split("/").map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.reduce<unknown>((at, step) => {
    if (Array.isArray(at)) return /^(0|[1-9]\d*)$/.test(step) ? at[Number(step)] : undefined;
    return isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }, here);
}

function list(parts: readonly (Json | undefined)[]): Json {
  return parts.filter((part) => part !== undefined);
}

function object(parts: readonly (readonly [string, Json | undefined])[]): Json {
  return Object.fromEntries(parts.filter((part): part is [string, Json] => part[1] !== undefined));
}
