/**
 * The floors of `src/`: which module may import which (docs/architecture.md has the picture).
 * @module
 */
import { dirname, join } from "node:path/posix";

/** Where each module stands. A module imports lower floors only. */
export const FLOORS: Readonly<Record<string, number>> = {
  base: 0,
  schema: 1,
  platform: 1,
  wire: 1,
  config: 2,
  secrets: 2,
  sandbox: 2,
  store: 2,
  services: 3,
  apps: 3,
  threads: 3,
  inbox: 3,
  doctor: 3,
  remote: 3,
  agents: 4,
  automations: 4,
  api: 5,
  gateway: 5,
  client: 6,
  daemon: 7,
  cli: 7,
};

/** Modules that may import these alone, whatever the floors say. */
export const ONLY: Readonly<Record<string, readonly string[]>> = {
  guest: ["base", "wire"],
  gateway: ["base", "platform", "wire", "store"],
  client: ["base", "platform", "wire"],
  cli: ["base", "platform", "wire", "schema", "client", "doctor"],
};

/** Arrows that types alone may take. */
export const TYPES: readonly (readonly [from: string, to: string])[] = [
  ["client", "api"],
];

/** Arrows between neighbours on one floor. */
export const ARROWS: readonly (readonly [from: string, to: string])[] = [
  ["automations", "agents"],
];

/** Folders that nothing in `src/` may import, its tests aside. */
const OUTSIDE = ["tests", "tools", "bench", "demo"];

/** Names of the import map that stand for files of the repository. */
const MAPPED: Readonly<Record<string, string>> = { "@handler/connector": "src/guest/kit/mod.ts" };

/** Whether a path names a test. */
export function isTest(path: string): boolean {
  return /_test\.tsx?$/.test(path);
}

/** Whether a path is a test, or a `testing.ts` that holds what the tests beside it share. */
export function isTestCode(path: string): boolean {
  return isTest(path) || /(^|\/)testing\.ts$/.test(path);
}

/** The module of a path such as `src/wire/mcp/codec.ts`; undefined outside `src/`. */
export function moduleOf(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1];
}

/** The repository's file that an import names; undefined for a package or a module of the runtime. */
export function resolveImport(from: string, specifier: string): string | undefined {
  return specifier.startsWith(".") ? join(dirname(from), specifier) : MAPPED[specifier];
}

/**
 * Why a file may not import something, or undefined where it may. Paths are relative to the repository's root. Tests
 * may look at any floor, but through the same doors.
 */
export function judgeImport(from: string, specifier: string, typeOnly = false): string | undefined {
  const here = moduleOf(from);
  const target = resolveImport(from, specifier);
  if (here === undefined || target === undefined) return undefined;
  if (isTestCode(target) && !isTestCode(from)) return `${target} is for tests, and ${from} is none`;
  const there = moduleOf(target);
  if (there === undefined) return judgeOutside(from, target);
  if (there === here) return undefined;
  if (target !== `src/${there}/mod.ts`) return `${there} is entered through its mod.ts only, not ${target}`;
  const typeArrow = typeOnly && TYPES.some(([a, b]) => a === here && b === there);
  return isTestCode(from) || typeArrow ? undefined : judgeModules(here, there);
}

function judgeOutside(from: string, target: string): string | undefined {
  const top = target.split("/")[0] ?? "";
  return OUTSIDE.includes(top) && !isTestCode(from) ? `nothing in src/ imports ${top}/` : undefined;
}

function judgeModules(here: string, there: string): string | undefined {
  const only = ONLY[here];
  if (only) {
    return only.includes(there) ? undefined : `${here} imports ${only.join(", ")} alone, not ${there}`;
  }
  const [from, to] = [FLOORS[here], FLOORS[there]];
  if (from === undefined) return `the module ${here} has no floor in tools/floors.ts`;
  if (to === undefined) return `nothing imports ${there}: it stands beside the floors`;
  if (to < from || ARROWS.some(([a, b]) => a === here && b === there)) return undefined;
  return `${here} (floor ${from}) imports only lower floors, and ${there} is on floor ${to}`;
}
