import type { AgentDefinition } from "../../spec/agent.ts";
import type { ModelDefinition } from "../../spec/model.ts";
import type { PromptDefinition } from "../../spec/prompt.ts";
import type { Methods } from "./methods.ts";

type Names = "loadModel" | "loadPrompt" | "loadAgent" | "getModelNames" | "getPromptNames" | "getAgentNames";

/** The project's definitions; they are here already, so that the daemon is not asked. */
export const definitionMethods: Methods<Names> = {
  loadModel: ({ definitions }) => async (name) =>
    await found<ModelDefinition>("model", definitions.models, name),
  loadPrompt: ({ definitions }) => async (name) =>
    await found<PromptDefinition>("prompt", definitions.prompts, name),
  loadAgent: ({ definitions }) => async (name) =>
    await found<AgentDefinition>("agent", definitions.agents, name),
  getModelNames: ({ definitions }) => async () => await names(definitions.models),
  getPromptNames: ({ definitions }) => async () => await names(definitions.prompts),
  getAgentNames: ({ definitions }) => async () => await names(definitions.agents),
};

function found<T>(kind: string, list: readonly { readonly name: string }[], name: string): T {
  const one = list.find((definition) => definition.name === name);
  if (!one) throw new Error(`the project defines no ${kind} "${name}"`);
  return structuredClone(one) as unknown as T;
}

function names(list: readonly { readonly name: string }[]): string[] {
  return list.map(({ name }) => name);
}
