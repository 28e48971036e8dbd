import { listFolder, statIfThere } from "../../src/platform/mod.ts";
import { connectorsWithPackages, ROOT, sourceFiles } from "../repository.ts";

/** The doors of all modules: their exports are what others read. */
export async function doors(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name } of await listFolder(`${ROOT}/src`)) {
    const door = `src/${name}/mod.ts`;
    if (await statIfThere(`${ROOT}/${door}`)) found.push(door);
  }
  return found;
}

/** The runs of `deno check` that see all code: the root's, and each connector's with its own imports. */
export async function typeCheckRuns(): Promise<readonly { readonly cwd: string; readonly args: string[] }[]> {
  const apart = await connectorsWithPackages();
  const files = (await sourceFiles()).filter((path) =>
    !apart.some((folder) => path.startsWith(folder + "/"))
  );
  return [
    { cwd: ROOT, args: [...files] },
    ...apart.map((folder) => ({ cwd: `${ROOT}/${folder}`, args: ["."] })),
  ];
}
