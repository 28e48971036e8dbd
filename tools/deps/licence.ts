import { isObject } from "../../src/base/mod.ts";
import { listFolder, ownProgram, readTextIfThere, run } from "../../src/platform/mod.ts";

/** Gives a package's licence as its own `package.json` says it; undefined where that is not on this machine. */
export type LicenceOf = (name: string, version: string) => Promise<string | undefined>;

/** Reads licences from Deno's cache of packages. */
export async function cachedLicences(): Promise<LicenceOf> {
  const { stdout } = await run([ownProgram(), "info", "--json"], { inheritEnv: true });
  const info: unknown = JSON.parse(stdout);
  const cache = isObject(info) ? String(info.npmCache) : "";
  const registries = await listFolder(cache);
  return async (name, version) => {
    for (const registry of registries) {
      const text = await readTextIfThere(`${cache}/${registry.name}/${name}/${version}/package.json`);
      if (text !== undefined) return licenceIn(JSON.parse(text));
    }
    return undefined;
  };
}

/** The licence that a `package.json` names, in any of the ways that packages do. */
export function licenceIn(manifest: unknown): string {
  if (!isObject(manifest)) return "unknown";
  const named = manifest.license ?? (Array.isArray(manifest.licenses) ? manifest.licenses[0] : undefined);
  const text = isObject(named) ? named.type : named;
  return typeof text === "string" && text !== "" ? text.replaceAll(/\s+/g, " ") : "unknown";
}
