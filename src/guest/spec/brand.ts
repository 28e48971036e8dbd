/** Says which `define` function made something, across copies of this module. */
export const DEFINITION_SYMBOL: unique symbol = Symbol.for("@standardagents/spec/definition");

/** What can be defined. */
export type DefinitionKind =
  | "agent"
  | "prompt"
  | "model"
  | "provider"
  | "tool"
  | "hook"
  | "effect"
  | "handler";

/** Which `define` function made something; undefined where none did. */
export function definitionKind(value: unknown): DefinitionKind | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as { readonly [DEFINITION_SYMBOL]?: DefinitionKind })[DEFINITION_SYMBOL];
}

/** Marks a definition so that nobody who lists its fields sees the mark. */
export function branded<T extends object>(value: T, kind: DefinitionKind, also?: symbol): T {
  Object.defineProperty(value, DEFINITION_SYMBOL, { value: kind });
  if (also) Object.defineProperty(value, also, { value: true });
  return value;
}
