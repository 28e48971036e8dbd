import { lintSchema } from "../../schema/mod.ts";
import type { CheckSchema } from "./tools_file.ts";

/** Lints a tool's schema (contract S.8), with each problem at its place in `tools.json`. */
export const checkToolSchema: CheckSchema = (schema, side, tool, say) => {
  for (const { pointer, message, hint } of lintSchema(schema, { tool, side })) {
    say(stepsOf(schema, pointer), message, hint);
  }
};

/** The steps of a JSON pointer; a number is an index where the schema has an array there. */
function stepsOf(schema: unknown, pointer: string): (string | number)[] {
  const steps: (string | number)[] = [];
  let at: unknown = schema;
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    steps.push(Array.isArray(at) ? Number(key) : key);
    at = (at as Record<string, unknown> | undefined)?.[key];
  }
  return steps;
}
