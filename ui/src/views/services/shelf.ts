import type { AgentView, BindingView, ConnectorView, InterfaceView, ProjectView } from "$client";
import { client } from "$lib/client.ts";
import { partsOf, providerTitle, serviceTitle } from "$lib/providers.ts";
import { list } from "$lib/format.ts";
import { t } from "$texts";

/** Everything that services are made of, and who uses them. */
export interface Shelf {
  readonly interfaces: readonly InterfaceView[];
  readonly connectors: readonly ConnectorView[];
  readonly bindings: readonly BindingView[];
  readonly agents: readonly AgentView[];
  readonly projects: readonly ProjectView[];
}

/** Whether a provider passed the cases of an interface. */
export type Proof = ConnectorView["proven"][number];

/** Somebody who can choose providers of a service. */
export interface User {
  readonly owner: "agent" | "project";
  readonly name: string;
  /** Names of bindings in their order. */
  readonly chosen: readonly string[];
  readonly privacy: string;
  /** What an agent has without a choice of its own. */
  readonly otherwise: string | undefined;
}

/** Asks for all of it at once. */
export async function loadShelf(): Promise<Shelf> {
  const [interfaces, connectors, bindings, agents, projects] = await Promise.all([
    client.interfaces(),
    client.connectors(),
    client.bindings(),
    client.agents(),
    client.projects(),
  ]);
  return { interfaces, connectors, bindings, agents, projects };
}

/** The bindings that provide an interface. */
export function providersOf({ bindings }: Pick<Shelf, "bindings">, id: string): readonly BindingView[] {
  return bindings.filter((one) => one.implements.includes(id));
}

/** How a binding's check of an interface stands. */
export function proofOf(
  { connectors }: Pick<Shelf, "connectors">,
  binding: BindingView,
  interfaceId: string,
): Proof {
  const connector = connectors.find(({ name }) => name === binding.connector);
  const found = connector?.proven.find((one) =>
    one.binding === binding.name && one.interfaceId === interfaceId
  );
  return found ?? { interfaceId, binding: binding.name, state: "unproven", at: null };
}

/** Everybody who could use a service: projects first, each agent after. */
export function usersOf(shelf: Shelf, id: string): readonly User[] {
  const { name } = partsOf(id);
  const projects = shelf.projects.map((one): User => ({
    owner: "project",
    name: one.name,
    chosen: one.services[name] ?? [],
    privacy: one.privacy,
    otherwise: undefined,
  }));
  const agents = shelf.agents.map((one): User => {
    const project = shelf.projects.find((other) => other.name === one.project);
    const fallen = project?.services[name] ?? [];
    return {
      owner: "agent",
      name: one.name,
      chosen: one.services[name] ?? [],
      privacy: project?.privacy ?? "any",
      otherwise: fallen.length === 0
        ? t("provider.none")
        : t("provider.asProjectNow", { titles: titlesOf(shelf, fallen) }),
    };
  });
  return [...projects, ...agents];
}

/** Names of bindings as a person calls them. */
export function titlesOf({ bindings }: Pick<Shelf, "bindings">, names: readonly string[]): string {
  return list(names.map((name) => {
    const found = bindings.find((one) => one.name === name);
    return found ? providerTitle(found) : name;
  }));
}

/** How a person calls a connector: by what it says of itself, before the first comma or dot. */
export function connectorTitle({ description, name }: Pick<ConnectorView, "description" | "name">): string {
  return description.split(/[,.;:]/, 1)[0]?.trim() || name;
}

/** What stands before a provider's name outside its service's page: “Text from documents: Mistral”. */
export function fullTitle(binding: BindingView): string {
  const [first] = binding.implements;
  return first === undefined ? providerTitle(binding) : `${serviceTitle(first)}: ${providerTitle(binding)}`;
}

/** Where a service's page is. */
export function servicePath(id: string): string {
  const { name, version } = partsOf(id);
  return `/services/${encodeURIComponent(name)}/${encodeURIComponent(version)}`;
}

/** Where a provider's page is. */
export function bindingPath(name: string): string {
  return `/bindings/${encodeURIComponent(name)}`;
}
