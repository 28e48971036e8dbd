import { isObject } from "../../src/base/mod.ts";

/** One package of a lock file. */
export interface LockedPackage {
  /** As the lock names it: `ajv-formats@3.0.1_ajv@8.20.0`. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** The ids that it needs, those for other systems too. */
  readonly needs: readonly string[];
  /** Whether it is for some systems or processors alone. */
  readonly bound: boolean;
}

/** What a `deno.lock` holds of npm. */
export interface Lock {
  readonly packages: ReadonlyMap<string, LockedPackage>;
  /** The ids that are asked for by name, by the specifier that asks. */
  readonly asked: ReadonlyMap<string, string>;
}

/** Reads the text of a `deno.lock`. */
export function readLock(text: string): Lock {
  const raw: unknown = JSON.parse(text);
  const npm = Object.entries(isObject(raw) && isObject(raw.npm) ? raw.npm : {});
  const specifiers = Object.entries(isObject(raw) && isObject(raw.specifiers) ? raw.specifiers : {});
  const ids = npm.map(([id]) => id);
  const packages = npm.map(([id, entry]): [string, LockedPackage] => [id, {
    id,
    ...nameAndVersion(id),
    needs: needsOf(entry).map((need) => idFor(need, ids)),
    bound: isObject(entry) && (entry.os !== undefined || entry.cpu !== undefined),
  }]);
  const asked = specifiers.filter(([specifier]) => specifier.startsWith("npm:")).map((
    [specifier, version],
  ): [string, string] => [specifier, `${nameAndVersion(specifier.slice(4)).name}@${version}`]);
  return { packages: new Map(packages), asked: new Map(asked) };
}

function needsOf(entry: unknown): readonly string[] {
  if (!isObject(entry)) return [];
  return [entry.dependencies, entry.optionalDependencies]
    .flatMap((list): unknown[] => Array.isArray(list) ? list : [])
    .filter((need) => typeof need === "string");
}

/** A need leaves its version out where only one version is locked. */
function idFor(need: string, ids: readonly string[]): string {
  return ids.find((id) => id === need || id.startsWith(need + "_")) ??
    ids.find((id) => nameAndVersion(id).name === nameAndVersion(need).name) ?? need;
}

/** Splits `@scope/name@1.2.3_peer@4.5.6` into its name and its version. */
export function nameAndVersion(id: string): { readonly name: string; readonly version: string } {
  const [, name = id, version = ""] = /^(@?[^@]+)@([^_]+)/.exec(id) ?? [];
  return { name, version };
}

/** A lock without what is for some systems alone: one build in a dozen shapes, of which each machine takes one. */
export function portable(lock: Lock): Lock {
  const free = (id: string) => !lock.packages.get(id)?.bound;
  const kept = [...lock.packages].filter(([id]) => free(id)).map(([id, entry]): [string, LockedPackage] => [
    id,
    { ...entry, needs: entry.needs.filter(free) },
  ]);
  const slim: Lock = { packages: new Map(kept), asked: lock.asked };
  const asked = [...lock.asked.values()];
  const isAsked = (id: string) => asked.some((one) => id === one || id.startsWith(one + "_"));
  const wanted = reached(slim, [...slim.packages.keys()].filter(isAsked));
  return { packages: new Map(kept.filter(([id]) => wanted.has(id))), asked: lock.asked };
}

/** The ids that are reached from `roots`, they included. */
export function reached(lock: Lock, roots: Iterable<string>): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [...roots];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...lock.packages.get(id)?.needs ?? []);
  }
  return seen;
}
