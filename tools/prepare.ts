/**
 * Makes ready what a checkout needs to run: `deno task prepare`. Connectors and Handler's guest programs are bundled into
 * `build/`, one file a program, the pages of the desk and the apps are built beside their sources, all packages checked
 * against lock files; what is up to date is left alone.
 * `deno task prepare verify` only says whether everything is.
 * @module
 */
import { join } from "node:path";
import { asHandlerError, HandlerError, ProblemList } from "../src/base/mod.ts";
import { ensureFolder, listFolder, removeAll } from "../src/platform/mod.ts";
import { buildUnit } from "./prepare/build.ts";
import { type BuiltUnit, readManifest, staleness, writeManifest } from "./prepare/manifest.ts";
import { type Unit, unitsOf } from "./prepare/units.ts";
import { ROOT } from "./repository.ts";

/** Where to prepare, and who hears of it. */
export interface PrepareOptions {
  /** The root of the checkout. */
  readonly root: string;
  readonly say: (line: string) => void;
}

/**
 * Builds what is missing or older than its sources. Two at the same time take turns, and the second finds nothing to do.
 *
 * @returns the names of the units that were built
 * @throws {HandlerError} `unavailable` where the network is needed and not there; `invalid` where a package is not the
 * one of the lock file or a source does not bundle.
 */
export async function prepare({ root, say }: PrepareOptions): Promise<readonly string[]> {
  const build = join(root, "build");
  await ensureFolder(build, 0o755);
  using lock = await Deno.open(join(build, ".lock"), { write: true, create: true });
  await lock.lock(true);
  const before = await readManifest(build);
  const units = await unitsOf(root);
  const after = new Map<string, BuiltUnit>();
  const built: string[] = [];
  const problems: HandlerError[] = [];
  for (const unit of units) {
    const known = before.units[unit.name];
    if (known && (await staleness(root, build, unit, known)).length === 0) {
      after.set(unit.name, known);
      continue;
    }
    const started = performance.now();
    try {
      after.set(unit.name, await buildUnit(root, build, unit));
      built.push(unit.name);
      say(`built ${unit.name} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    } catch (error) {
      problems.push(asHandlerError(error, `building ${unit.name}`));
      if (problems.at(-1)?.kind === "unavailable") break; // without the network the others fail alike
    }
  }
  await removeFormer(build, units);
  if (built.length > 0) await writeManifest(build, { schema: 1, units: Object.fromEntries(after) });
  if (problems.length > 0) throw problems.length === 1 ? problems[0] : new ProblemList("preparing", problems);
  if (built.length === 0) say(`all ${units.length} parts are up to date`);
  return built;
}

/** Says what is not as `prepare` would leave it; nothing where all is. */
export async function verify(root: string): Promise<readonly string[]> {
  const build = join(root, "build");
  const { units } = await readManifest(build);
  const wrong: string[] = [];
  for (const unit of await unitsOf(root)) wrong.push(...await staleness(root, build, unit, units[unit.name]));
  return wrong;
}

/** Connectors that are no more. */
async function removeFormer(build: string, units: readonly Unit[]): Promise<void> {
  for (const { name } of await listFolder(join(build, "connectors"))) {
    if (!units.some((unit) => unit.name === `connectors/${name}`)) {
      await removeAll(join(build, "connectors", name));
    }
  }
}

async function main(mode: string | undefined): Promise<number> {
  if (mode === undefined) {
    await prepare({ root: ROOT, say: console.log });
    return 0;
  }
  if (mode !== "verify") {
    throw new HandlerError("usage", `prepare has the mode verify and no other, found ${mode}`);
  }
  const wrong = await verify(ROOT);
  for (const line of wrong) console.error(line);
  if (wrong.length === 0) console.log("everything is prepared");
  return wrong.length === 0 ? 0 : 1;
}

function tell(error: HandlerError): void {
  if (error instanceof ProblemList) return error.problems.forEach(tell);
  console.error(error.toString());
  if (error.hint) console.error(`hint: ${error.hint}`);
}

if (import.meta.main) {
  try {
    Deno.exit(await main(Deno.args[0]));
  } catch (error) {
    tell(asHandlerError(error));
    Deno.exit(1);
  }
}
