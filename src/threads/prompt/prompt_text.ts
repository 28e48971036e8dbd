import type { PromptDefinition } from "../../wire/mod.ts";

/** Where the parts of a prompt's text come from. */
export interface PromptTextPorts {
  prompt(name: string): PromptDefinition | undefined;
  /** A variable's value; undefined where nothing sets it. */
  env(name: string): string | undefined;
}

/**
 * A prompt's text: its parts put together, with the prompts that it includes. One that includes itself, by whatever
 * way, is left out at the second time; so is a variable that nothing sets.
 */
export function promptText(prompt: PromptDefinition, ports: PromptTextPorts): string {
  return text(prompt, ports, new Set([prompt.name])).trim();
}

function text(prompt: PromptDefinition, ports: PromptTextPorts, inside: ReadonlySet<string>): string {
  return prompt.prompt.map((part) => {
    switch (part.type) {
      case "text":
        return part.content;
      case "env":
        return ports.env(part.property) ?? "";
      case "include": {
        const included = inside.has(part.prompt) ? undefined : ports.prompt(part.prompt);
        return included ? text(included, ports, new Set([...inside, part.prompt])) : "";
      }
    }
  }).join("");
}
