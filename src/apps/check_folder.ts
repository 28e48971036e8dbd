import { basename, dirname } from "node:path";
import { HandlerError } from "../base/mod.ts";
import { lookAtTree, statIfThere } from "../platform/mod.ts";
import type { AppManifest } from "./records.ts";
import { checkSource, NOT_INSTALLED, SNAPSHOT_LIMIT } from "./snapshot.ts";
import { importProblems } from "./source_imports.ts";
import { testModules } from "./test_modules.ts";

/**
 * Everything that a deploy of a source folder would refuse and that can be known from the folder alone, without running
 * anything of it: the manifest, what is missing, what cannot be copied, imports that will not be found.
 */
export async function checkFolder(folder: string): Promise<readonly HandlerError[]> {
  const { manifest, problems } = await checkSource(folder);
  if (!manifest) return problems;
  return [...problems, ...await treeProblems(folder, manifest), ...await backendProblems(folder, manifest)];
}

async function treeProblems(folder: string, manifest: AppManifest): Promise<readonly HandlerError[]> {
  const found: HandlerError[] = [];
  let left = SNAPSHOT_LIMIT;
  for (const below of [dirname(manifest.serverEntry), manifest.uiFolder]) {
    if (below === "." || !await statIfThere(`${folder}/${below}`)) continue;
    const options = { below, limitBytes: left, links: "keep", leaveOut: NOT_INSTALLED } as const;
    const { bytes, refusals } = await lookAtTree(folder, options);
    const where = { file: `${folder}/${below}` };
    found.push(...refusals.map(({ message }) => new HandlerError("invalid", message, { where })));
    left -= bytes;
  }
  return found;
}

async function backendProblems(
  folder: string,
  { serverEntry }: AppManifest,
): Promise<readonly HandlerError[]> {
  const server = `${folder}/${dirname(serverEntry)}`;
  if (dirname(serverEntry) === "." || !(await statIfThere(server))?.isDirectory) return [];
  return await importProblems(server, [basename(serverEntry), ...await testModules(server)]);
}
