import type { Json } from "$client";

/** A JSON Schema, or a part of one. */
export type Schema = { readonly [key: string]: Json };

/** What a person fills in for a schema. */
export type Kind =
  | "file"
  | "made-file"
  | "choice"
  | "flag"
  | "integer"
  | "number"
  | "text"
  | "list"
  | "record"
  | "map"
  | "union"
  | "nothing"
  | "anything";

/** A tool as its interface has it. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
}

const DEPTH = 16;

/** Whether a value is an object of JSON. */
export function isRecord(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A schema with what its `$ref` leads to, inside the same document; its own words go before those found there. */
export function resolved(schema: Json | undefined, root: Schema): Schema {
  let one: Schema = isRecord(schema) ? schema : {};
  for (let depth = 0; depth < DEPTH && typeof one.$ref === "string"; depth++) {
    const { $ref, ...own } = one;
    one = { ...target(root, $ref as string), ...own };
  }
  return one;
}

function target(root: Schema, reference: string): Schema {
  let at: Json | undefined = root;
  for (const part of reference.replace(/^#\/?/, "").split("/").filter((part) => part !== "")) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return isRecord(at) ? at : {};
}

/** What a schema asks for. */
export function kindOf(schema: Schema): Kind {
  if (Array.isArray(schema.enum) || "const" in schema) return "choice";
  if (branchesOf(schema)) return "union";
  switch (schema.type) {
    case "string":
      return schema.format === "handler-file"
        ? "file"
        : schema.format === "handler-output-file"
        ? "made-file"
        : "text";
    case "boolean":
      return "flag";
    case "integer":
    case "number":
      return schema.type;
    case "array":
      return "list";
    case "null":
      return "nothing";
  }
  if (isRecord(schema.properties)) return "record";
  if (schema.type !== "object") return "anything";
  return isRecord(schema.additionalProperties) ? "map" : "record";
}

/** The values of a choice. */
export function choicesOf(schema: Schema): readonly Json[] {
  return Array.isArray(schema.enum) ? schema.enum : [schema.const ?? null];
}

/** The ways a union can be: of `anyOf`, `oneOf`, or a list of types; undefined where there is one way. */
export function branchesOf(schema: Schema): readonly Schema[] | undefined {
  const { anyOf, oneOf, ...rest } = schema;
  const found = anyOf ?? oneOf;
  if (Array.isArray(found)) return found.map((one) => (isRecord(one) ? one : {}));
  if (!Array.isArray(rest.type)) return undefined;
  return rest.type.map((type) => ({ ...rest, type }));
}

/** The properties of a record in their order, the required ones marked. */
export function propertiesOf(
  schema: Schema,
): readonly { readonly name: string; readonly schema: Json; readonly required: boolean }[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isRecord(schema.properties) ? schema.properties : {};
  return Object.entries(properties).map(([name, one]) => {
    return { name, schema: one, required: required.includes(name) };
  });
}

/** What a form begins with; undefined is left out of what is sent. */
export function initial(
  given: Json | undefined,
  root: Schema,
  required = true,
  depth = 0,
): Json | undefined {
  const schema = resolved(given, root);
  if (schema.default !== undefined) return schema.default;
  if (!required || depth > DEPTH) return undefined;
  switch (kindOf(schema)) {
    case "choice":
      return choicesOf(schema)[0];
    case "flag":
      return false;
    case "nothing":
      return null;
    case "list": {
      const least = typeof schema.minItems === "number" ? schema.minItems : 0;
      return Array.from({ length: least }, () => initial(schema.items, root, true, depth + 1) ?? null);
    }
    case "record":
      return recordOf(schema, root, depth);
    case "map":
      return {};
    case "union":
      return initial(branchesOf(schema)![0], root, true, depth + 1);
    default:
      return undefined;
  }
}

function recordOf(schema: Schema, root: Schema, depth: number): Json {
  const pairs = propertiesOf(schema).map(({ name, schema: one, required }) => {
    return [name, initial(one, root, required, depth + 1)] as const;
  });
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) as Json;
}

/** What is sent of what stands in a form: what was left empty is left out. */
export function filled(value: unknown): Json {
  if (Array.isArray(value)) return value.filter((one) => one !== undefined).map(filled);
  if (!isRecord(value)) return (value ?? null) as Json;
  const pairs = Object.entries(value).filter(([, one]) => one !== undefined && one !== "");
  return Object.fromEntries(pairs.map(([name, one]) => [name, filled(one)]));
}

/** Whether a value could be one that a schema asks for, judged by its outermost shape. */
export function couldBe(value: Json | undefined, given: Schema, root: Schema): boolean {
  const schema = resolved(given, root);
  switch (kindOf(schema)) {
    case "choice":
      return choicesOf(schema).some((one) => one === value);
    case "flag":
      return typeof value === "boolean";
    case "integer":
    case "number":
      return typeof value === "number";
    case "text":
    case "file":
    case "made-file":
      return typeof value === "string";
    case "list":
      return Array.isArray(value);
    case "record":
    case "map":
      return isRecord(value);
    case "nothing":
      return value === null;
    case "union":
      return branchesOf(schema)!.some((one) => couldBe(value, one, root));
    default:
      return true;
  }
}

/** The names of the first file that an input schema takes, from the outermost record. */
export function fileFieldOf(schema: Schema): string | undefined {
  return propertiesOf(schema).find(({ schema: one }) => kindOf(resolved(one, schema)) === "file")?.name;
}

/** `maxTokens`, `api_key`: the words that they are made of. */
export function wordsOf(name: string): string {
  const words = name.replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2").replaceAll(/[_-]+/g, " ").toLowerCase();
  const known = words.replaceAll(/\b(api|url|id|pdf|json)\b/g, (word) => word.toUpperCase());
  return known.charAt(0).toUpperCase() + known.slice(1);
}
