import type { EditValue } from "../schema/mod.ts";
import type { AgentConfig, BindingConfig, ProjectConfig, SecretReference, Selection } from "./records.ts";
import type { Draft, PersonFile } from "./shapes.ts";

/** What a file says, key by key, in the order it is written in a new one; undefined for a key that is left out. */
export type FileKeys = Readonly<Record<string, EditValue | undefined>>;

/** The keys of an agent's file. */
export function agentKeys(agent: Draft<AgentConfig>): FileKeys {
  return {
    project: agent.project,
    harness: agent.harness,
    command: unlessEmpty(agent.command),
    model: agent.model,
    image: agent.image,
    addons: unlessEmpty(agent.addons),
    services: selectionKeys(agent.services),
    egress: unlessEmpty(agent.egress),
    env: unlessEmpty(agent.env),
  };
}

/** The keys of a project's file. */
export function projectKeys(project: Draft<ProjectConfig>): FileKeys {
  return {
    path: project.path,
    requires: unlessEmpty(project.requires),
    services: selectionKeys(project.services),
    privacy: project.privacy === "any" ? undefined : project.privacy,
    env: unlessEmpty(project.env),
  };
}

/** The keys of a binding's file. */
export function bindingKeys(binding: Draft<BindingConfig>): FileKeys {
  const secrets = Object.entries(binding.secrets).map((
    [slot, reference],
  ) => [slot, referenceKeys(reference)]);
  return {
    connector: binding.uses.kind === "connector" ? binding.uses.name : undefined,
    addon: binding.uses.kind === "addon" ? binding.uses.name : undefined,
    description: binding.description || undefined,
    secrets: unlessEmpty(Object.fromEntries(secrets)),
    settings: unlessEmpty(binding.settings),
    prices: unlessEmpty(binding.prices),
  };
}

/** The keys of a person's file. */
export function personKeys({ displayName, desktop, env }: PersonFile): FileKeys {
  return { displayName, desktop, env: unlessEmpty(env) };
}

/** One binding is written as a text, several as a list. */
export function selectionValue(bindings: readonly string[]): EditValue {
  return bindings.length === 1 ? bindings[0] as string : [...bindings];
}

function selectionKeys(selection: Selection): EditValue | undefined {
  const chosen = Object.entries(selection).map(([service, names]) => [service, selectionValue(names)]);
  return unlessEmpty(Object.fromEntries(chosen));
}

function referenceKeys(reference: SecretReference): EditValue {
  if (reference.kind === "command") return { command: [...reference.argv] };
  if (reference.kind === "file") return { file: reference.path };
  return { [reference.kind]: reference.name };
}

function unlessEmpty<T extends EditValue & object>(value: T): T | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}
