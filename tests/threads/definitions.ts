/** The text of a handler's file. */
export function handler(body: string): string {
  return `export default defineHandler({\n  execute: async (state, message) => {\n${body}\n  },\n});\n`;
}

/** The text of an agent's file; the sides as they stand there. */
export function agent(name: string, sideA: string, sideB: string, more = ""): string {
  return `export default defineAgent({\n  name: "${name}",\n  sideA: ${sideA},\n  sideB: ${sideB},\n  ${more}\n});\n`;
}

/** The text of a prompt's file. */
export function prompt(name: string, more = ""): string {
  return `export default definePrompt({\n  name: "${name}",\n  toolDescription: "${name}",\n  prompt: "Be brief.",\n  model: "fake",\n  ${more}\n});\n`;
}

/** The files of a project with one agent, `it`: a handler on side A, a person on side B. */
export function handled(body: string, more = ""): Readonly<Record<string, string>> {
  return {
    "handlers/it.ts": handler(body),
    "agents/it.ts": agent("it", `{ handler: "it" }`, "{ human: true }", more),
  };
}
