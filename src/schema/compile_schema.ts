import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { errorText, HandlerError } from "../base/mod.ts";
import { FORMATS } from "./formats.ts";
import { patternProblem } from "./pattern.ts";
import { describeError } from "./schema_error.ts";
import { checkSize } from "./schema_size.ts";
import { allSchemas, type Schema } from "./schema_walk.ts";

/** Why a value is refused. Nothing in it comes from the value but the names of properties that the schema knows. */
export interface SchemaProblem {
  /** JSON pointer to the place in the value; a name that the schema does not know stands as `*`. */
  readonly path: string;
  /** The schema's keyword that is broken: `required`, `additionalProperties`, `type`… */
  readonly rule: string;
  /** What must be, as it stands after the path: "must be string". */
  readonly message: string;
}

/** A compiled schema: undefined for a value that fits, else the first problem. */
export type SchemaCheck = (value: unknown) => SchemaProblem | undefined;

/** The one dialect there is. */
export const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/**
 * Compiles a JSON Schema of draft 2020-12 to a check that takes about a millisecond for three megabytes. Nothing is
 * ever fetched: a `$ref` that leads out of the schema is an error here.
 *
 * The schema is not checked against the meta-schema, which would cost tens of milliseconds at each start: the
 * interface linter does that. What this refuses all the same: unknown keywords and formats, keywords with a value of the
 * wrong type, another dialect, a schema past the limits of size, a pattern that could take more than linear time.
 *
 * @throws {HandlerError} `invalid`
 */
export function compileSchema(schema: Schema): SchemaCheck {
  checkSize(schema);
  checkDialect(schema);
  checkPatterns(schema);
  const validate = compileWith(newAjv(), schema);
  return (value) => check(validate, value, schema);
}

/** The validator of the call path, without a schema yet. */
export function newAjv(options: { readonly validateSchema: boolean } = { validateSchema: false }): Ajv2020 {
  return new Ajv2020({
    strict: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    allowUnionTypes: true,
    inlineRefs: false,
    logger: false,
    meta: options.validateSchema,
    validateSchema: options.validateSchema,
    formats: FORMATS,
    keywords: ["$anchor"], // it is followed, but not known by name
  });
}

/** Compiles, with the library's complaint as the error. @throws {HandlerError} `invalid` */
export function compileWith(ajv: Ajv2020, schema: Schema): ValidateFunction {
  try {
    return ajv.compile(schema);
  } catch (error) {
    throw new HandlerError("invalid", `the schema cannot be compiled: ${errorText(error)}`, { cause: error });
  }
}

function check(validate: ValidateFunction, value: unknown, schema: Schema): SchemaProblem | undefined {
  try {
    if (validate(value)) return undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { path: "", rule: "depth", message: "must not nest so deep" };
  }
  return describeError(validate.errors as ErrorObject[], schema);
}

function checkDialect(schema: Schema): void {
  const dialect = typeof schema === "object" ? schema["$schema"] : undefined;
  if (dialect === undefined || dialect === DIALECT || dialect === `${DIALECT}#`) return;
  throw new HandlerError("invalid", `"$schema" of a schema must be "${DIALECT}" or be left out`);
}

function checkPatterns(root: Schema): void {
  for (const { pointer, schema } of allSchemas(root)) {
    for (const pattern of patternsOf(schema)) {
      const problem = patternProblem(pattern);
      if (problem) throw new HandlerError("invalid", `the pattern at "#${pointer}" ${problem}`);
    }
  }
}

/** The patterns that stand directly in a schema. */
export function patternsOf(schema: Schema): readonly string[] {
  if (typeof schema !== "object") return [];
  const { pattern, patternProperties } = schema;
  const keys = typeof patternProperties === "object" && patternProperties !== null
    ? Object.keys(patternProperties)
    : [];
  return typeof pattern === "string" ? [pattern, ...keys] : keys;
}
