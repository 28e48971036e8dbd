/**
 * Counts lines of source and of tests, and which source files have no test beside them. A count, not a rule.
 *
 *     deno run -A tools/ratio.ts          prints the count by module
 * @module
 */
import { readText } from "../src/platform/mod.ts";
import { isTestCode, moduleOf } from "./floors.ts";
import { ROOT, sourceFiles } from "./repository.ts";

/** Lines of one part of the code; the tests are those beside it. */
export interface Ratio {
  readonly name: string;
  readonly files: number;
  readonly lines: number;
  readonly testLines: number;
  /** Source files (doors aside) with no test beside them. */
  readonly untested: readonly string[];
}

/** Counts files given as pairs of path and line count. */
export function ratios(files: readonly (readonly [path: string, lines: number])[]): readonly Ratio[] {
  const names = new Set(files.map(([path]) => partOf(path)));
  return [...names].sort().map((name) => ratioOf(name, files.filter(([path]) => partOf(path) === name)));
}

function partOf(path: string): string {
  return moduleOf(path) ?? path.split("/")[0] ?? path;
}

function ratioOf(name: string, files: readonly (readonly [path: string, lines: number])[]): Ratio {
  const paths = new Set(files.map(([path]) => path));
  const sources = files.filter(([path]) => !isTestCode(path) && name !== "tests");
  const sum = (some: typeof files) => some.reduce((total, [, lines]) => total + lines, 0);
  return {
    name,
    files: sources.length,
    lines: sum(sources),
    testLines: sum(files) - sum(sources),
    untested: sources.map(([path]) => path)
      .filter((path) => !path.endsWith("/mod.ts") && !paths.has(path.replace(/\.ts$/, "_test.ts"))),
  };
}

/** The count of the repository as it is. */
export async function repositoryRatios(): Promise<readonly Ratio[]> {
  const counted: [string, number][] = [];
  for (const path of await sourceFiles()) {
    counted.push([path, (await readText(`${ROOT}/${path}`)).trimEnd().split("\n").length]);
  }
  return ratios(counted);
}

if (import.meta.main) {
  for (const { name, files, lines, testLines, untested } of await repositoryRatios()) {
    console.log(`${name.padEnd(12)} ${files} files  ${lines} lines  ${testLines} of tests beside`);
    for (const path of untested) console.log(`             no test beside ${path}`);
  }
}
