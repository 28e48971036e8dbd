import type { Json } from "../../../base/mod.ts";
import { type Check, fault, shown } from "../../spec/shape.ts";
import { isHandler } from "../../spec/handler.ts";
import { ONLY_A_SIDE } from "../../spec/shape.ts";
import type { ArgumentSchema } from "./loaded.ts";

/** What is used of a Zod schema beyond reading arguments. */
interface ZodObject extends ArgumentSchema {
  readonly shape: object;
  toJSONSchema(options: { readonly io: "input" }): object;
}

/** Whether something is an object schema of Zod 4, of whatever copy of it. */
export function isObjectSchema(value: unknown): value is ZodObject {
  if (typeof value !== "object" || value === null) return false;
  const { safeParseAsync, toJSONSchema, shape } = value as Readonly<Record<string, unknown>>;
  return typeof safeParseAsync === "function" && typeof toJSONSchema === "function" &&
    typeof shape === "object" && shape !== null;
}

/** An object schema that can be told as JSON Schema. */
export const objectSchema: Check = (value, path, issues) => {
  if (isHandler(value)) return fault(issues, path, `it is a handler: ${ONLY_A_SIDE}`);
  if (!isObjectSchema(value)) {
    const what = typeof value === "object" && value !== null && "_zod" in value
      ? "another schema"
      : shown(value);
    return fault(issues, path, `it must be an object schema of zod 4, z.object({ … }), not ${what}`);
  }
  try {
    jsonSchema(value);
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).split("\n")[0];
    fault(issues, path, `it has no JSON Schema: ${why}`);
  }
};

/** A schema as JSON Schema: what a caller may give, so that a field with a default may be left out. */
export function jsonSchema(schema: ZodObject): Json {
  const { $schema: _, ...rest } = JSON.parse(JSON.stringify(schema.toJSONSchema({ io: "input" })));
  return rest;
}

/** The fields of a schema; undefined where it is none. */
export function schemaFields(value: unknown): readonly string[] | undefined {
  return isObjectSchema(value) ? Object.keys(value.shape) : undefined;
}

/** The fields of a schema that a caller must give. */
export function requiredFields(value: unknown): readonly string[] {
  try {
    const schema = isObjectSchema(value)
      ? jsonSchema(value) as { readonly required?: readonly string[] }
      : {};
    return schema.required ?? [];
  } catch {
    return [];
  }
}
