import { isDeepStrictEqual } from "node:util";
import type { Configuration } from "./records.ts";

/** Names of one kind that differ between two sets of configuration, each list sorted. */
export interface NameChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** What differs between two sets of configuration. */
export interface ConfigurationChange {
  readonly main: boolean;
  readonly agents: NameChanges;
  readonly projects: NameChanges;
  readonly bindings: NameChanges;
  readonly persons: NameChanges;
}

/** Compares two sets. The order of keys does not count, the order of lists does. */
export function changeBetween(before: Configuration, after: Configuration): ConfigurationChange {
  return {
    main: !isDeepStrictEqual(before.main, after.main),
    agents: names(before.agents, after.agents),
    projects: names(before.projects, after.projects),
    bindings: names(before.bindings, after.bindings),
    persons: names(before.persons, after.persons),
  };
}

function names(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): NameChanges {
  const [old, fresh] = [[...before.keys()].sort(), [...after.keys()].sort()];
  return {
    added: fresh.filter((name) => !before.has(name)),
    changed: fresh.filter((name) =>
      before.has(name) && !isDeepStrictEqual(before.get(name), after.get(name))
    ),
    removed: old.filter((name) => !after.has(name)),
  };
}

/** Whether nothing differs. */
export function isNoChange(change: ConfigurationChange): boolean {
  const { agents, projects, bindings, persons } = change;
  const lists = [agents, projects, bindings, persons].flatMap((kind) => Object.values(kind));
  return !change.main && lists.every((list) => list.length === 0);
}
