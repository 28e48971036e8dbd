/**
 * What the tools know of the repository: where it lies and which files are its own.
 * @module
 */
import { fromFileUrl, listFolder, statIfThere, walkFiles } from "../src/platform/mod.ts";

/** The repository's root folder, without a closing slash. */
export const ROOT = fromFileUrl(new URL("..", import.meta.url)).replace(/\/$/, "");

/** The folders that hold code. */
export const CODE_FOLDERS = ["src", "connectors", "demo", "bench", "tools", "tests"];

/** Every TypeScript file below the code folders and at the root, as paths from the root. */
export async function sourceFiles(): Promise<readonly string[]> {
  return ["main.ts", "inside.ts", ...await filesBelow(CODE_FOLDERS)];
}

/** Every TypeScript file of the page, which is a package of its own, as paths from the root. */
export async function pageFiles(): Promise<readonly string[]> {
  return await filesBelow(["ui/src"]);
}

async function filesBelow(folders: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    for (const { path, kind } of await walkFiles(`${ROOT}/${folder}`)) {
      if (kind === "file" && path.endsWith(".ts") && !isForeign(path)) found.push(`${folder}/${path}`);
    }
  }
  return found;
}

function isForeign(path: string): boolean {
  return /(^|\/)(node_modules|vendor|fixtures)\//.test(path);
}

/** The connectors that bring packages: each has a `deno.json` and a lock of its own. */
export async function connectorsWithPackages(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, kind } of await listFolder(`${ROOT}/connectors`)) {
    if (kind === "folder" && await statIfThere(`${ROOT}/connectors/${name}/deno.json`)) {
      found.push(`connectors/${name}`);
    }
  }
  return found;
}
