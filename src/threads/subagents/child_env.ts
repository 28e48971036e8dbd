import type { EnvRow } from "../../store/mod.ts";
import type { PromptDefinition, RelationshipDefinition } from "../../wire/mod.ts";
import { type Definitions, sideOf } from "../definitions.ts";
import type { EnvOf } from "./relationships.ts";

/** A variable that a child's prompts declare. */
export type ScopedVariable = PromptDefinition["variables"][number];

/** The variables that each child of an agent has for itself: those its prompts declare as scoped. */
export function scopedVariables(definitions: Definitions, agentName: string): readonly ScopedVariable[] {
  const agent = definitions.agents.get(agentName);
  if (!agent) return [];
  const found = new Map<string, ScopedVariable>();
  const prompts = new Set<string>();
  for (const side of [sideOf(agent, "a"), sideOf(agent, "b")]) {
    if (side.kind === "prompt") reach(definitions, side.prompt, prompts);
  }
  for (const name of prompts) {
    for (const variable of definitions.prompts.get(name)?.variables ?? []) {
      if (!variable.scoped) continue;
      const known = found.get(variable.name);
      found.set(variable.name, known?.required ? known : variable);
    }
  }
  return [...found.values()];
}

/** A prompt, what it includes, and the prompts that it may call. */
function reach(definitions: Definitions, name: string, prompts: Set<string>): void {
  const prompt = prompts.has(name) ? undefined : definitions.prompts.get(name);
  if (!prompt) return;
  prompts.add(name);
  for (const part of prompt.prompt) if (part.type === "include") reach(definitions, part.prompt, prompts);
  for (const tool of prompt.tools) reach(definitions, tool.name, prompts);
}

/** What a child's variables come from. */
export interface ChildEnvInput {
  readonly scoped: readonly ScopedVariable[];
  readonly relationship: Pick<RelationshipDefinition, "scopedEnv">;
  /** The parent thread's own variables. */
  readonly inherited: readonly EnvRow[];
  readonly env: EnvOf;
}

/** A child's variables, or the names that it cannot do without and that nothing gives. */
export interface ChildEnv {
  readonly rows: readonly EnvRow[];
  readonly missing: readonly string[];
}

/** The parent thread's variables but for what is scoped, and the scoped ones that the relationship hands down. */
export function childEnv({ scoped, relationship, inherited, env }: ChildEnvInput): ChildEnv {
  const types = new Map<string, EnvRow["type"]>(inherited.map((row) => [row.name, row.type]));
  for (const variable of scoped) types.set(variable.name, variable.type);
  const own = new Set(scoped.map((variable) => variable.name));
  const rows = new Map(inherited.filter((row) => !own.has(row.name)).map((row) => [row.name, row]));
  for (const name of relationship.scopedEnv) {
    const value = env(name);
    if (value !== undefined) rows.set(name, { name, value, type: types.get(name) ?? "secret" });
  }
  const missing = scoped.filter((variable) => variable.required && !rows.has(variable.name));
  return { rows: [...rows.values()], missing: missing.map((variable) => variable.name) };
}
