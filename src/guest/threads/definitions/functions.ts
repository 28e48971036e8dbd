import type { Found } from "./found.ts";
import type { ArgumentFunction, DefinitionFunctions, HandlerFunction, HookFunction } from "./loaded.ts";
import { isObjectSchema } from "./schema.ts";

/** The functions of definitions that have passed their checks. */
export function functionsOf(all: readonly Found[]): DefinitionFunctions {
  const each = <T>(kind: Found["kind"], make: (found: Found) => T) =>
    new Map(all.filter((found) => found.kind === kind).map((found) => [found.name, make(found)]));
  return {
    handlers: each("handler", ({ value }) => value["execute"] as HandlerFunction),
    tools: each("tool", ({ value }) => withArguments(value["execute"], value["args"])),
    effects: each("effect", ({ value }) => withArguments(value[2], value[1])),
    hooks: each("hook", ({ value }) => ({
      hook: String(value["hook"]),
      execute: value["execute"] as HookFunction["execute"],
    })),
  };
}

function withArguments(execute: unknown, schema: unknown): ArgumentFunction {
  return {
    execute: execute as ArgumentFunction["execute"],
    schema: isObjectSchema(schema) ? schema : undefined,
  };
}
