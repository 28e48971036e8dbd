import { Validator } from "@cfworker/json-schema";
import { errorText, isObject } from "../base/mod.ts";
import { newAjv } from "./compile_schema.ts";
import { lintClosed } from "./lint_closed.ts";
import { lintKeywords } from "./lint_keywords.ts";
import { type LintContext, type LintProblem, LintReport } from "./lint_problem.ts";
import { lintReferences } from "./lint_references.ts";
import { sizeProblem } from "./schema_size.ts";
import { allSchemas, References, type Schema, type Subschema } from "./schema_walk.ts";

/** What providers accept of one schema: OpenAI's documented limits, the tightest of the three. */
const MOST = { levels: 10, properties: 5000, enumValues: 1000 } as const;

/**
 * Checks a tool's schema by the rules of an interface (contract S.8): all problems, in a time bounded by the limits of
 * size, whatever the schema is. The keywords it may use are listed and explained in `lint_keywords.ts`.
 *
 * - `size`, `depth`: nesting, number of values, letters; levels, properties and enum values as providers count them
 * - `root`: an object, by `"type": "object"` (clients of MCP refuse a whole listing otherwise), a `oneOf` beside it or not
 * - `closed`, `any`, `all-of`: every object closed; nothing that takes any value; no closed objects laid over each other
 * - `ref`, `recursion`: no `$ref` out of the schema or into nothing; none that no finite value fits
 * - `keyword`, `dialect`, `type`, `required`, `items`, `format`, `pattern`, `name`: each schema's own keywords
 * - `validator`: both validators accept it; asked only once the rest holds
 */
export function lintSchema(schema: unknown, context: LintContext): readonly LintProblem[] {
  const report = new LintReport(context);
  const size = sizeProblem(schema);
  if (size) report.add("", "size", size);
  else if (!isObject(schema)) report.add("", "root", "a schema must be an object of keywords");
  else lintAll(schema, report);
  return report.problems;
}

function lintAll(root: Readonly<Record<string, unknown>>, report: LintReport): void {
  const references = new References(root);
  const all = allSchemas(root);
  if (root["type"] !== "object") {
    const hint = root["oneOf"] || root["anyOf"] ? 'write "type": "object" beside the union' : undefined;
    report.add("", "root", 'the root must have "type": "object"', hint);
  }
  for (const part of all) lintKeywords(part, report);
  lintAmounts(all, report);
  lintReferences(references, report);
  lintClosed(references, report);
  if (report.problems.length === 0) lintValidators(root, report);
}

/** Counts what providers limit. */
function lintAmounts(all: readonly Subschema[], report: LintReport): void {
  const deep = all.find(({ pointer }) => levels(pointer) > MOST.levels);
  if (deep) report.add(deep.pointer, "depth", `values must nest at most ${MOST.levels} levels deep`);
  const sum = (count: (schema: Schema) => number) =>
    all.reduce((total, { schema }) => total + count(schema), 0);
  const properties = sum((schema) => amount(schema, "properties"));
  if (properties > MOST.properties) {
    report.add("", "size", `must declare at most ${MOST.properties} properties, found ${properties}`);
  }
  const values = sum((schema) => amount(schema, "enum"));
  if (values > MOST.enumValues) {
    report.add("", "size", `must list at most ${MOST.enumValues} enum values, found ${values}`);
  }
}

function amount(schema: Schema, keyword: string): number {
  const value = typeof schema === "object" ? schema[keyword] : undefined;
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}

/** How many values deep a pointer leads; a property that is called "items" counts as one level all the same. */
function levels(pointer: string): number {
  const steps = pointer.split("/").slice(1);
  let count = 0;
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at] ?? "";
    if (["properties", "$defs", "prefixItems", "anyOf", "oneOf", "allOf"].includes(step)) at++;
    if (["properties", "items", "prefixItems"].includes(step)) count++;
  }
  return count;
}

/** Both validators must take the schema: ajv on the call path, the interpreting one where code may not be made. */
function lintValidators(schema: Readonly<Record<string, unknown>>, report: LintReport): void {
  const attempts: Readonly<Record<string, () => void>> = {
    ajv: () => {
      const meta = metaAjv();
      if (!meta.validateSchema(schema)) throw new Error(meta.errorsText(meta.errors, { dataVar: "#" }));
      newAjv().compile(schema);
    },
    "@cfworker/json-schema": () => void new Validator(schema, "2020-12").validate({}),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      attempt();
    } catch (error) {
      report.add("", "validator", `must be accepted by ${name}, which says: ${errorText(error)}`);
    }
  }
}

let meta: ReturnType<typeof newAjv> | undefined;

/** The one validator that knows the meta-schema: compiling that takes 50 ms, so it is made once, when first asked. */
function metaAjv(): ReturnType<typeof newAjv> {
  return meta ??= newAjv({ validateSchema: true });
}
