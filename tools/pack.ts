/**
 * Packs what ships with Handler into one file, for the compiled program to carry:
 *
 *     deno run -A tools/pack.ts <file>
 * @module
 */
import { pack, writeAtomic } from "../src/platform/mod.ts";
import { ROOT } from "./repository.ts";

/** The folders that ship. A connector's source is part of what its hash says, so it is among them. */
const FOLDERS = ["interfaces", "connectors", "addons", "build", "ui/dist"];

/** What is only for making, or for trying, what ships. The template's `vendor` is a part of it. */
function isAside(path: string): boolean {
  return /(^|\/)(node_modules|\.lock|\.dev)(\/|$)|^connectors\/.*\/vendor\//.test(path);
}

if (import.meta.main) {
  const [file] = Deno.args;
  if (!file) throw new Error("usage: tools/pack.ts <file>");
  const bytes = await pack(ROOT, FOLDERS, isAside);
  await writeAtomic(file, bytes, 0o644);
  console.log(`packed ${(bytes.length / 1_000_000).toFixed(1)} MB`);
}
