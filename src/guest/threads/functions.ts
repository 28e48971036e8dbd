import type { Json } from "../../base/mod.ts";
import type { Invocation } from "../../wire/mod.ts";
import type { ArgumentFunction, DefinitionFunctions, SchemaIssue } from "./definitions/mod.ts";
import { ArgumentsError } from "./errors.ts";

/** The states that a function is given. */
export interface States {
  readonly own: unknown;
  /** The child of `after_subagent_created`. */
  readonly child: unknown;
}

/** Calls the function that an invocation names. @throws what it throws, {@linkcode ArgumentsError}, unknown names */
export function invoke(functions: DefinitionFunctions, what: Invocation, states: States): unknown {
  switch (what.kind) {
    case "handler":
      return named(functions.handlers, "handler", what.name)(states.own, what.message);
    case "tool":
      return withArguments(named(functions.tools, "tool", what.name), what, states.own);
    case "effect":
      return withArguments(named(functions.effects, "effect", what.name), what, states.own);
    case "hook": {
      const first = states.child === undefined ? [states.own] : [states.own, states.child];
      const { execute } = named(functions.hooks, "hook", what.id);
      return execute(...first, ...what.args, { source: what.source });
    }
  }
}

function named<T>(map: ReadonlyMap<string, T>, kind: string, name: string): T {
  const found = map.get(name);
  if (found === undefined) throw new Error(`the project defines no ${kind} "${name}"`);
  return found;
}

/** Gives the function what its schema made of the arguments. */
async function withArguments(
  { execute, schema }: ArgumentFunction,
  { kind, name, args }: { readonly kind: string; readonly name: string; readonly args: Json },
  state: unknown,
): Promise<unknown> {
  if (!schema) return await execute(state);
  const parsed = await schema.safeParseAsync(args);
  if (parsed.success) return await execute(state, parsed.data);
  const issues = parsed.error.issues.map(issueText).join("; ");
  throw new ArgumentsError(`the arguments of the ${kind} ${name} do not fit: ${issues}`);
}

function issueText({ path, message }: SchemaIssue): string {
  const place = path.map((part) => typeof part === "number" ? `[${part}]` : `.${String(part)}`).join("");
  return `args${place}: ${message}`;
}
