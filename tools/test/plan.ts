import { listFolder, walkFiles } from "../../src/platform/mod.ts";
import { isTest } from "../floors.ts";
import { connectorsWithPackages, ROOT } from "../repository.ts";

/** One run of `deno test`. */
export interface TestRun {
  /** What `--only` calls it. */
  readonly area: string;
  readonly cwd: string;
  readonly paths: readonly string[];
  /** Whether its files may run side by side. */
  readonly parallel: boolean;
}

/** Areas whose tests measure or exhaust the machine, or change the environment that all of a process shares. */
const ALONE = ["desktop", "sandbox", "system"];

/** All runs: the tests beside the code first, then each area of `tests/`. */
export async function planRuns(): Promise<readonly TestRun[]> {
  const connectors = await connectorsWithPackages();
  const unit = await filesWithTests(["src", "tools", "demo", "bench", "connectors"]);
  const apart = (path: string) => connectors.find((folder) => path.startsWith(folder + "/"));
  return [
    { area: "unit", cwd: ROOT, paths: unit.filter((path) => !apart(path)), parallel: true },
    ...connectors.map((folder): TestRun => ({
      area: "unit",
      cwd: `${ROOT}/${folder}`,
      paths: unit.filter((path) => apart(path) === folder).map((path) => path.slice(folder.length + 1)),
      parallel: true,
    })),
    {
      area: "unit",
      cwd: `${ROOT}/ui`,
      paths: (await filesWithTests(["ui/src"])).map((path) => path.slice("ui/".length)),
      parallel: true,
    },
    ...await areaRuns(),
  ].filter(({ paths }) => paths.length > 0);
}

async function areaRuns(): Promise<readonly TestRun[]> {
  const runs: TestRun[] = [];
  for (const { name, kind } of await listFolder(`${ROOT}/tests`)) {
    if (kind !== "folder") continue;
    const paths = await filesWithTests([`tests/${name}`]);
    runs.push({ area: name, cwd: ROOT, paths, parallel: !ALONE.includes(name) });
  }
  return runs;
}

async function filesWithTests(folders: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    for (const { path, kind } of await walkFiles(`${ROOT}/${folder}`)) {
      if (kind === "file" && isTest(path) && !/(^|\/)(node_modules|vendor)\//.test(path)) {
        found.push(`${folder}/${path}`);
      }
    }
  }
  return found;
}
