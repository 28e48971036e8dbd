import type { DefinitionProblem, DefinitionSet } from "../../../wire/mod.ts";

/** Where definitions are, and how a file of theirs is brought in. */
export interface DefinitionSource {
  /** The project's folder, absolute; its definitions lie in `agents/` below it. */
  readonly folder: string;
  /** Imports a file by its absolute path. It gives the module's exports, or throws as `import()` does. */
  importModule(path: string): Promise<Readonly<Record<string, unknown>>>;
}

/** Everything that a project defines. With an error among the problems the rest is for showing, not for running. */
export interface LoadedDefinitions {
  readonly set: DefinitionSet;
  /** By file, then in the order of finding. */
  readonly problems: readonly DefinitionProblem[];
  readonly functions: DefinitionFunctions;
}

/** The functions of a project by the names that {@linkcode DefinitionSet} has for them. */
export interface DefinitionFunctions {
  readonly handlers: ReadonlyMap<string, HandlerFunction>;
  readonly tools: ReadonlyMap<string, ArgumentFunction>;
  readonly effects: ReadonlyMap<string, ArgumentFunction>;
  /** By id. */
  readonly hooks: ReadonlyMap<string, HookFunction>;
}

/** `execute` of a handler: the state, the message. */
export type HandlerFunction = (state: unknown, message: unknown) => unknown;

/** What takes the state and, where it has a schema, arguments. */
export interface ArgumentFunction {
  readonly execute: (state: unknown, args?: unknown) => unknown;
  readonly schema: ArgumentSchema | undefined;
}

/** A hook: `hook` says when it runs and so what it is given. */
export interface HookFunction {
  readonly hook: string;
  readonly execute: (...args: readonly unknown[]) => unknown;
}

/** What is used of a Zod schema. */
export interface ArgumentSchema {
  safeParseAsync(value: unknown): Promise<
    | { readonly success: true; readonly data: unknown }
    | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } }
  >;
}

/** One thing that a schema has against a value. */
export interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}
