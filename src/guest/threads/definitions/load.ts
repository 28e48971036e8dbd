import type { DefinitionSource, LoadedDefinitions } from "./loaded.ts";

/** Loads a project's definitions. It never throws for what a project's files say: that is among the problems. */
export function loadDefinitions(_source: DefinitionSource): Promise<LoadedDefinitions> {
  const set = { agents: [], prompts: [], models: [], tools: [], hooks: [], effects: [], handlers: [] };
  const functions = { handlers: new Map(), tools: new Map(), effects: new Map(), hooks: new Map() };
  return Promise.resolve({ set, problems: [], functions });
}
