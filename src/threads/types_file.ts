import type { DefinitionSet } from "../wire/mod.ts";

const HEAD = `// Written by "handler threads types": changes here are lost.
// deno-lint-ignore-file
// deno-fmt-ignore-file
import type * as spec from "./spec.ts";
`;

const GLOBALS = [
  "defineAgent",
  "defineEffect",
  "defineHandler",
  "defineHook",
  "defineModel",
  "definePrompt",
  "defineProvider",
  "defineTool",
];

/**
 * The text of a project's `.agents/types.d.ts`: the names that it defines, for `StandardAgentSpec`, and the `define`
 * functions as globals.
 */
export function typesFile(set: DefinitionSet): string {
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
  const callables = [...names(set.prompts), ...names(set.agents), ...names(set.tools)];
  const registries = [
    registry("ModelRegistry", names(set.models)),
    registry("PromptRegistry", names(set.prompts)),
    registry("AgentRegistry", names(set.agents)),
    registry("ToolRegistry", names(set.tools)),
    registry("CallableRegistry", callables),
    registry("HookIdRegistry", set.hooks.map(({ id }) => id)),
    registry("HandlerRegistry", names(set.handlers)),
    registry("EffectRegistry", names(set.effects)),
    interfaceText("PromptSchemaRegistry", schemaFields(set)),
  ];
  const globals = GLOBALS.map((name) => `  const ${name}: typeof spec.${name};\n`).join("");
  return `${HEAD}
declare global {
  namespace StandardAgentSpec {
${registries.join("")}  }

${globals}}
`;
}

function registry(name: string, keys: readonly string[]): string {
  return interfaceText(name, new Map(keys.map((key) => [key, "true"])));
}

function interfaceText(name: string, members: ReadonlyMap<string, string>): string {
  const lines = [...members].sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, type]) => `      ${JSON.stringify(key)}: ${type};\n`);
  return `    interface ${name} {${lines.length === 0 ? "" : `\n${lines.join("")}    `}}\n`;
}

/** For prompts and the agents that they stand first in: the names of their arguments. */
function schemaFields({ prompts, agents }: DefinitionSet): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const { name, requiredSchema } of prompts) {
    const fields = propertyNames(requiredSchema);
    if (fields.length > 0) known.set(name, fields.map((field) => JSON.stringify(field)).join(" | "));
  }
  for (const { name, sideA } of agents) {
    const fields = sideA.kind === "prompt" ? known.get(sideA.prompt) : undefined;
    if (fields !== undefined && !known.has(name)) known.set(name, fields);
  }
  return known;
}

function propertyNames(schema: unknown): readonly string[] {
  const { properties } = (schema ?? {}) as { readonly properties?: object };
  return Object.keys(properties ?? {});
}
