import { HandlerError, isObject } from "../../base/mod.ts";
import type { DefinitionProblem, DefinitionSet } from "../../wire/mod.ts";
import type { Ready } from "./link.ts";

const LISTS = ["agents", "prompts", "models", "tools", "hooks", "effects", "handlers"] as const;

/**
 * What a host has loaded, after a look at its shape.
 * @throws {HandlerError} `invalid`
 */
export function checkReady(
  { definitions, problems }: Ready,
): { readonly definitions: DefinitionSet; readonly problems: readonly DefinitionProblem[] } {
  const good = isObject(definitions) && LISTS.every((name) => Array.isArray(definitions[name])) &&
    Array.isArray(problems);
  if (!good) throw new HandlerError("invalid", "a thread host tells lists of definitions and of problems");
  return { definitions, problems };
}
