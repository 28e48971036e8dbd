import { basename, dirname, join, relative } from "node:path";
import { ensureFolder, removeAll, setMode, walkFiles } from "../../src/platform/mod.ts";
import { buildApp } from "./app.ts";
import { bundle, fetchPackages, resolvePackageFiles } from "./deno.ts";
import { type BuiltUnit, fileHash, inputsHash } from "./manifest.ts";
import { putTogether } from "./sources.ts";
import { buildDesk } from "./desk.ts";
import type { AppUnit, DeskUnit, ProgramsUnit, Unit } from "./units.ts";

/** Builds one unit. What is built where its source lies stands in the manifest as paths that lead out of `build/`. */
export async function buildUnit(root: string, build: string, unit: Unit): Promise<BuiltUnit> {
  const inputs = await inputsHash(root, unit);
  const outputs = unit.kind === "programs"
    ? await buildPrograms(build, unit)
    : (await buildInPlace(root, unit)).map((path) => relative(build, path));
  const hashes = outputs.map(async (path) => [path, await fileHash(join(build, path))] as const);
  return { inputs, outputs: Object.fromEntries(await Promise.all(hashes)) };
}

function buildInPlace(root: string, unit: AppUnit | DeskUnit): Promise<readonly string[]> {
  return unit.kind === "app" ? buildApp(root, unit) : buildDesk(unit);
}

/**
 * Builds programs into `build/<the unit's name>`. Each file is replaced whole, so a connector that runs from there meanwhile
 * has the old or the new one. What a former build left over is removed.
 */
async function buildPrograms(build: string, unit: ProgramsUnit): Promise<readonly string[]> {
  if (unit.hasPackages) await fetchPackages(unit);
  const outputs: string[] = [];
  for (const [output, entry] of Object.entries(unit.programs)) {
    await produce(build, unit, output, outputs, (path) => bundle(unit, entry, path));
  }
  for (const [output, parts] of Object.entries(unit.sources)) {
    await produce(build, unit, output, outputs, (path) => putTogether(unit.folder, parts, path));
  }
  const assets = Object.entries(unit.assets);
  const found = assets.length === 0 ? [] : await resolvePackageFiles(unit, assets.map(([, from]) => from));
  for (const [index, [output]] of assets.entries()) {
    await produce(build, unit, output, outputs, (path) => Deno.copyFile(new URL(found[index] ?? ""), path));
  }
  await removeOthers(build, unit, outputs);
  return outputs;
}

/** Makes a file beside its place and renames it there; readable by all, because a sandbox's user is another. */
async function produce(
  build: string,
  unit: ProgramsUnit,
  output: string,
  outputs: string[],
  make: (path: string) => Promise<void>,
): Promise<void> {
  const path = join(build, unit.name, output);
  await ensureFolder(dirname(path), 0o755);
  // the ending stays: `deno bundle` makes CommonJS modules run only in a file that ends in .js
  const fresh = join(dirname(path), `new-${basename(path)}`);
  await make(fresh);
  await setMode(fresh, 0o644);
  await Deno.rename(fresh, path);
  outputs.push(`${unit.name}/${output}`);
}

async function removeOthers(build: string, unit: ProgramsUnit, outputs: readonly string[]): Promise<void> {
  for (const { path } of await walkFiles(join(build, unit.name))) {
    if (!outputs.includes(`${unit.name}/${path}`)) await removeAll(join(build, unit.name, path));
  }
}
