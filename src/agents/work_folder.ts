import { HandlerError } from "../base/mod.ts";
import type { ProjectConfig } from "../config/mod.ts";
import { type Folders, isMissing, realPath, statIfThere } from "../platform/mod.ts";

/**
 * The real path of a project's work folder. An agent writes there, so it must not hold, or lie in, a folder of
 * Handler's own: else the agent could change its own rights or read stored secrets.
 *
 * @throws {HandlerError} `invalid`
 */
export async function workFolder(
  project: Pick<ProjectConfig, "name" | "path" | "file">,
  folders: Folders,
): Promise<string> {
  const real = await realPath(project.path).catch((error) => {
    throw isMissing(error) ? refused(project, "there is no such folder") : error;
  });
  if (!(await statIfThere(real))?.isDirectory) throw refused(project, "it is not a folder");
  if (real === "/") throw refused(project, "an agent cannot have the whole machine");
  for (const own of Object.values(folders)) {
    const ours = await realPath(own).catch(() => own);
    if (holds(real, ours)) throw refused(project, `it holds Handler's own folder ${own}`);
    if (holds(ours, real)) throw refused(project, `it lies in Handler's own folder ${own}`);
  }
  return real;
}

function holds(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(outer + "/");
}

function refused(project: Pick<ProjectConfig, "name" | "path" | "file">, why: string): HandlerError {
  return new HandlerError(
    "invalid",
    `the work folder ${project.path} of the project ${project.name} is refused: ${why}`,
    {
      where: { file: project.file, key: "path" },
    },
  );
}
