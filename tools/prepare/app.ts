import { join } from "node:path";
import { copyFile, ensureFolder, readText, walkFiles, writeAtomic } from "../../src/platform/mod.ts";
import { buildPage } from "./deno.ts";
import type { AppUnit } from "./units.ts";

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

async function vendorKit(root: string, vendor: string): Promise<readonly string[]> {
  const [program, types] = [join(vendor, "handler_app.js"), join(vendor, DECLARATIONS)];
  await ensureFolder(vendor, 0o755);
  const bundle = await readText(join(root, "build/guest/app_kit.js"));
  await writeAtomic(program, `// @ts-self-types="./${DECLARATIONS}"\n${bundle}`, 0o644);
  await copyFile(join(root, "src/guest/app_kit", DECLARATIONS), types);
  return [program, types];
}
