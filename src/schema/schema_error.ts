import type { ErrorObject } from "ajv/dist/2020.js";
import type { SchemaProblem } from "./compile_schema.ts";
import { isObject } from "../base/mod.ts";
import { allSchemas, pointerStep, type Schema } from "./schema_walk.ts";

/** A property's name that may be shown although the schema does not know it: a word, nothing that could be data. */
const WORD = /^[A-Za-z_$][A-Za-z0-9_$-]{0,39}$/;

/**
 * The problem that says most: the one deepest in the value, for in a union each branch complains, and the branch that was
 * meant got furthest.
 */
export function describeError(errors: readonly ErrorObject[], schema: Schema): SchemaProblem {
  const depth = (error: ErrorObject) => error.instancePath.split("/").length;
  const error = errors.reduce((best, next) => depth(next) > depth(best) ? next : best);
  const known = knownNames(schema);
  const path = error.instancePath.split("/").slice(1).map((step) => {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    return pointerStep(known.has(name) || /^(?:0|[1-9]\d{0,8})$/.test(name) ? name : "*");
  }).join("");
  return { path, rule: error.keyword, message: message(error) };
}

function message(error: ErrorObject): string {
  if (error.keyword === "additionalProperties" || error.keyword === "unevaluatedProperties") {
    const name: unknown = error.params["additionalProperty"] ?? error.params["unevaluatedProperty"];
    const shown = typeof name === "string" && WORD.test(name) ? ` ${JSON.stringify(name)}` : "";
    return `must not have the additional property${shown}`;
  }
  return error.message ?? `must keep to "${error.keyword}"`;
}

/** Every name that the schema itself gives to a property. */
function knownNames(schema: Schema): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { schema: part } of allSchemas(schema)) {
    const properties = typeof part === "object" ? part["properties"] : undefined;
    if (isObject(properties)) Object.keys(properties).forEach((name) => names.add(name));
  }
  return names;
}
