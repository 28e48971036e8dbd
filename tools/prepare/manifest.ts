import { join, relative } from "node:path";
import { isObject, sha256Hex, utf8 } from "../../src/base/mod.ts";
import { readBytes, readTextIfThere, statIfThere, writeAtomic } from "../../src/platform/mod.ts";
import { hasKit } from "./app.ts";
import type { Unit } from "./units.ts";

/** What one unit was built from and what came of it; hashes are SHA-256 in lower-case hexadecimal. */
export interface BuiltUnit {
  /** One hash over the paths and hashes of all inputs. */
  readonly inputs: string;
  /** Path below `build/` to hash. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** `build/manifest.json`. */
export interface Manifest {
  readonly schema: 1;
  readonly units: Readonly<Record<string, BuiltUnit>>;
}

/** Hash of everything a unit's outputs depend on. */
export async function inputsHash(root: string, unit: Unit): Promise<string> {
  const lines = await Promise.all(
    [...unit.inputs].sort().map(async (path) => `${await fileHash(path)}  ${relative(root, path)}\n`),
  );
  return await sha256Hex(utf8(lines.join("")));
}

/** The hash of a file's bytes. */
export async function fileHash(path: string): Promise<string> {
  return await sha256Hex(await readBytes(path));
}

/** The manifest of the last build; an empty one where there is none that can be read. */
export async function readManifest(build: string): Promise<Manifest> {
  const text = await readTextIfThere(join(build, "manifest.json"));
  try {
    const value: unknown = JSON.parse(text ?? "");
    if (isObject(value) && value["schema"] === 1) return value as unknown as Manifest;
  } catch {
    // a broken manifest is as good as none: everything is built again
  }
  return { schema: 1, units: {} };
}

/** Writes the manifest, whole or not at all. */
export async function writeManifest(build: string, manifest: Manifest): Promise<void> {
  await writeAtomic(join(build, "manifest.json"), JSON.stringify(manifest, null, 2) + "\n", 0o644);
}

/** What is wrong with a unit's outputs; nothing where it is up to date. */
export async function staleness(
  root: string,
  build: string,
  unit: Unit,
  built: BuiltUnit | undefined,
): Promise<string[]> {
  if (!built) return [`${unit.name} is not built`];
  const wrong = built.inputs === await inputsHash(root, unit)
    ? []
    : [`${unit.name} is older than its sources`];
  if (unit.kind === "app" && !await hasKit(root, unit)) wrong.push(`${unit.name} has another app kit`);
  for (const [path, hash] of Object.entries(built.outputs)) {
    const file = join(build, path);
    if (!await statIfThere(file)) wrong.push(`${path} is missing`);
    else if (await fileHash(file) !== hash) wrong.push(`${path} was changed`);
  }
  return wrong;
}
