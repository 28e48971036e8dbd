import type { DefinitionKind } from "../../spec/brand.ts";

/** A kind of definition: where its files are, what makes it, where its name comes from. */
export interface Kind {
  readonly kind: DefinitionKind;
  /** Below `agents/`. */
  readonly folder: string;
  readonly define: string;
  /** The field with its name; undefined where the file's name is it. */
  readonly nameField: "name" | "id" | undefined;
}

/** All kinds, in the order that their files are read and reported in. */
export const KINDS: readonly Kind[] = [
  { kind: "agent", folder: "agents", define: "defineAgent", nameField: "name" },
  { kind: "prompt", folder: "prompts", define: "definePrompt", nameField: "name" },
  { kind: "model", folder: "models", define: "defineModel", nameField: "name" },
  { kind: "provider", folder: "providers", define: "defineProvider", nameField: "name" },
  { kind: "tool", folder: "tools", define: "defineTool", nameField: undefined },
  { kind: "hook", folder: "hooks", define: "defineHook", nameField: "id" },
  { kind: "effect", folder: "effects", define: "defineEffect", nameField: undefined },
  { kind: "handler", folder: "handlers", define: "defineHandler", nameField: undefined },
];

/** What is known of a kind. */
export function kindOf(kind: DefinitionKind): Kind {
  const found = KINDS.find((entry) => entry.kind === kind);
  if (!found) throw new TypeError(`no kind ${kind}`);
  return found;
}

/** `an agent`, `a hook`. */
export function aKind(kind: DefinitionKind): string {
  return `${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}`;
}
