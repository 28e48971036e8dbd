import { dirname, join } from "node:path";
import { isObject } from "../../base/mod.ts";
import { readTextIfThere, toFileUrl, writeAtomic } from "../../platform/mod.ts";
import type { Renamer } from "./rename.ts";

/**
 * Writes the import map of a configuration with its paths renamed, because what it names inside is elsewhere on the
 * host. Undefined where it names nothing inside.
 */
export async function renamedImportMap(
  configFile: string,
  renamer: Renamer,
  writeTo: string,
): Promise<string | undefined> {
  const config: unknown = JSON.parse(await readTextIfThere(configFile) ?? "{}");
  if (!isObject(config) || !isObject(config.imports)) return undefined;
  const base = dirname(configFile);
  const entries = Object.entries(config.imports).map((
    [name, value],
  ) => [name, absolute(String(value), base, renamer)]);
  const before = JSON.stringify(Object.values(config.imports));
  if (!/"(\/|file:)/.test(before)) return undefined;
  await writeAtomic(writeTo, JSON.stringify({ imports: Object.fromEntries(entries) }));
  return writeTo;
}

function absolute(value: string, base: string, renamer: Renamer): string {
  if (/^\.\.?\//.test(value)) return toFileUrl(join(base, value)).href;
  if (value.startsWith("/")) return toFileUrl(renamer.path(value)).href;
  return renamer.word(value);
}
