import { fromFileUrl } from "../../src/platform/mod.ts";
import { isTestCode } from "../floors.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));

/** A file's path from the repository's root, whatever form the linter gives it in. */
export function placeOf(filename: string): string {
  const path = filename.startsWith("file:") ? fromFileUrl(filename) : filename;
  return path.startsWith(ROOT) ? path.slice(ROOT.length) : path.replace(/^\.\//, "");
}

/** Whether a file is part of the program: below `src/`, and no test. */
export function isProgram(place: string): boolean {
  return place.startsWith("src/") && !isTestCode(place);
}

/** Whether a file stands in one of these folders. */
export function isUnder(place: string, ...folders: readonly string[]): boolean {
  return folders.some((folder) => place.startsWith(folder + "/"));
}
