import { type Schema, validate } from "@cfworker/json-schema";

/** A caller's `schema`: JSON text of a JSON Schema object; undefined where it is none. */
export function readSchema(text: string): Schema | undefined {
  try {
    const schema = JSON.parse(text);
    if (
      typeof schema !== "object" || schema === null || Array.isArray(schema)
    ) return undefined;
    validate(null, schema); // a pattern or `$ref` that cannot be used is found here
    return schema;
  } catch {
    return undefined;
  }
}

/** The model's answer as compact JSON text where it is JSON and fits the schema, else undefined. */
export function fittingJson(text: string, schema: Schema): string | undefined {
  try {
    const value = JSON.parse(text);
    return validate(value, schema).valid ? JSON.stringify(value) : undefined;
  } catch {
    return undefined;
  }
}
