import { isObject, type Json, type JsonObject } from "../../base/mod.ts";
import { compileSchema, type Schema, type SchemaCheck } from "../../schema/mod.ts";
import { failure, type ToolResult } from "./tool_result.ts";

const compiled = new WeakMap<object, SchemaCheck>();

/**
 * Holds a call's arguments to its tool's JSON Schema.
 *
 * @returns undefined where they fit, else what the model is told: the place, the rule, and what would fit
 */
export function checkArguments(tool: string, schema: Json | undefined, given: Json): ToolResult | undefined {
  if (!isObject(given)) {
    return failure(`the arguments of ${tool} must be a JSON object`, "invalid_arguments");
  }
  if (!isObject(schema)) return undefined;
  const check = checkOf(schema);
  if (typeof check === "string") {
    return failure(`the tool ${tool} cannot be called: ${check}`, "invalid_schema");
  }
  const problem = check(given);
  if (!problem) return undefined;
  const place = problem.path === "" ? "they" : `"${problem.path}"`;
  const message = `the arguments of ${tool} do not fit: ${place} ${problem.message}`;
  return failure(message, "invalid_arguments", { schema: schema as Json });
}

/** Compiled once for a schema object. */
function checkOf(schema: object): SchemaCheck {
  let check = compiled.get(schema);
  if (check === undefined) compiled.set(schema, check = compile(schema as JsonObject));
  return check;
}

/** What this validator refuses to compile is held to without its patterns and formats; the thread host's own check knows them. */
function compile({ $schema: _, ...schema }: JsonObject): SchemaCheck {
  for (const form of [schema, withoutPatterns(schema)]) {
    try {
      return compileSchema(form as Schema);
    } catch {
      continue;
    }
  }
  return () => undefined;
}

function withoutPatterns(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema as JsonObject).filter(([key, value]) =>
    !(["pattern", "format"].includes(key) && typeof value === "string")
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutPatterns(value)]));
}
