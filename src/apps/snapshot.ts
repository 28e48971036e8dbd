import { dirname } from "node:path";
import { HandlerError, ProblemList } from "../base/mod.ts";
import { copyTreeGuarded, ensureFolder, removeAll, statIfThere, writeAtomic } from "../platform/mod.ts";
import { parseEgress } from "../sandbox/mod.ts";
import { manifestBytes, readManifest } from "./manifest.ts";
import type { AppManifest } from "./records.ts";

/** The most bytes of an installed version (seed §4). */
export const SNAPSHOT_LIMIT = 256 * 1024 * 1024;

/** Names that are left out of it, wherever they stand. */
export const NOT_INSTALLED: readonly string[] = [".git", "node_modules"];

/** What a version's folder has inside. */
export const VERSION_FOLDERS = { server: "server", ui: "ui" } as const;

/** Everything about a source folder that a deploy would refuse, and the manifest where it can be read. */
export interface SourceCheck {
  readonly manifest: AppManifest | undefined;
  readonly problems: readonly HandlerError[];
}

/** Looks at a source folder without changing anything. */
export async function checkSource(folder: string): Promise<SourceCheck> {
  let manifest: AppManifest;
  try {
    manifest = await readManifest(folder);
  } catch (error) {
    if (error instanceof ProblemList) return { manifest: undefined, problems: error.problems };
    throw error;
  }
  const problems: HandlerError[] = [];
  const entry = `${folder}/${manifest.serverEntry}`;
  if (!(await statIfThere(entry))?.isFile) {
    problems.push(
      problem(folder, "server.entry", `the backend's module must be there, found no ${manifest.serverEntry}`),
    );
  }
  if (dirname(manifest.serverEntry) === ".") {
    problems.push(
      problem(folder, "server.entry", "the backend lies in a folder of its own, which is installed whole"),
    );
  }
  if (!(await statIfThere(`${folder}/${manifest.uiFolder}/index.html`))?.isFile) {
    problems.push(
      problem(
        folder,
        "ui.dir",
        `the built page must have an index.html, found none in ${manifest.uiFolder}`,
        {
          hint: "build it: deno task build",
        },
      ),
    );
  }
  for (const text of manifest.needs.egress) {
    try {
      parseEgress(text);
    } catch (error) {
      problems.push(problem(folder, "needs.egress", (error as HandlerError).message));
    }
  }
  return { manifest, problems };
}

function problem(
  folder: string,
  key: string,
  message: string,
  details: { hint?: string } = {},
): HandlerError {
  return new HandlerError("invalid", message, { ...details, where: { file: `${folder}/app.toml`, key } });
}

/**
 * Copies what a deploy installs into `to`: the manifest, the backend's folder, the built page. Links must stay inside,
 * and nothing but regular files is taken.
 */
export async function takeSnapshot(folder: string, manifest: AppManifest, to: string): Promise<void> {
  await removeAll(to);
  await ensureFolder(to, 0o755);
  const parts = [
    [dirname(manifest.serverEntry), VERSION_FOLDERS.server],
    [manifest.uiFolder, VERSION_FOLDERS.ui],
  ] as const;
  let left = SNAPSHOT_LIMIT;
  for (const [from, name] of parts) {
    const options = {
      below: from,
      limitBytes: left,
      links: "keep",
      leaveOut: NOT_INSTALLED,
    } as const;
    left -= (await copyTreeGuarded(folder, `${to}/${name}`, options)).bytes;
  }
  await writeAtomic(`${to}/app.toml`, await manifestBytes(folder), 0o644);
}
