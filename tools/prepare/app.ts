import { join } from "node:path";
import { copyFile, ensureFolder, readTextIfThere, walkFiles, writeAtomic } from "../../src/platform/mod.ts";
import { buildPage } from "./deno.ts";
import type { AppUnit } from "./units.ts";

const PROGRAM = "handler_app.js";
/** Says what the app kit is; it lies beside the bundle under that name. */
const DECLARATIONS = "handler_app.d.ts";

/**
 * Makes an app ready to be deployed, where its source lies: `server/vendor/` gets the app kit that was built before,
 * `ui/dist/` the page. Gives the files that it made.
 */
export async function buildApp(root: string, unit: AppUnit): Promise<readonly string[]> {
  const kit = await vendorKit(root, join(unit.folder, "server/vendor"));
  await buildPage(unit);
  const dist = join(unit.folder, "ui/dist");
  const page = (await walkFiles(dist)).filter(({ kind }) => kind === "file").map(({ path }) =>
    join(dist, path)
  );
  return [...kit, ...page];
}

/** Whether the app kit beside an app's backend is the one that is built now; the Denos bundle in different words. */
export async function hasKit(root: string, unit: AppUnit): Promise<boolean> {
  return await readTextIfThere(join(unit.folder, "server/vendor", PROGRAM)) === await kitText(root);
}

async function kitText(root: string): Promise<string> {
  const bundle = await readTextIfThere(join(root, "build/guest/app_kit.js"));
  return `// @ts-self-types="./${DECLARATIONS}"\n${bundle ?? ""}`;
}

async function vendorKit(root: string, vendor: string): Promise<readonly string[]> {
  const [program, types] = [join(vendor, PROGRAM), join(vendor, DECLARATIONS)];
  await ensureFolder(vendor, 0o755);
  await writeAtomic(program, await kitText(root), 0o644);
  await copyFile(join(root, "src/guest/app_kit", DECLARATIONS), types);
  return [program, types];
}
