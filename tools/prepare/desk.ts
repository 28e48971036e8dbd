import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { readBytes, removeQuietly, walkFiles, writeAtomic } from "../../src/platform/mod.ts";
import { buildPage } from "./deno.ts";
import type { DeskUnit } from "./units.ts";

/** What gets smaller, and is large enough for that to matter. */
const TEXTS = new Set([".html", ".js", ".css", ".svg", ".json", ".txt", ".webmanifest"]);
const SMALL_BYTES = 512;

/** Builds the desk's page with the packages of its lock file, and puts it compressed beside itself. Gives all files. */
export async function buildDesk(unit: DeskUnit): Promise<readonly string[]> {
  await buildPage(unit);
  const dist = join(unit.folder, "dist");
  const files = (await walkFiles(dist)).filter(({ kind }) => kind === "file").map(({ path }) =>
    join(dist, path)
  );
  const [former, built] = [files.filter(isCompressed), files.filter((path) => !isCompressed(path))];
  for (const path of former) await removeQuietly(path);
  const compressed: string[] = [];
  for (const path of built) compressed.push(...await compress(path));
  return [...built, ...compressed];
}

function isCompressed(path: string): boolean {
  return path.endsWith(".br") || path.endsWith(".gz");
}

/** Writes `.br` and `.gz` beside a text, as the desk's origin looks for them. */
async function compress(path: string): Promise<readonly string[]> {
  if (!TEXTS.has(extname(path))) return [];
  const bytes = await readBytes(path);
  if (bytes.length < SMALL_BYTES) return [];
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await writeAtomic(`${path}.br`, br, 0o644);
  await writeAtomic(`${path}.gz`, gz, 0o644);
  return [`${path}.br`, `${path}.gz`];
}
