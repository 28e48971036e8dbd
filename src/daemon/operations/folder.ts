import { dirname, isAbsolute, join, normalize } from "node:path";
import type { DeskOperations, FolderView } from "../../api/mod.ts";
import { errorText, HandlerError } from "../../base/mod.ts";
import { type Entry, homeFolder, listFolder, realPath, statIfThere } from "../../platform/mod.ts";

const MOST = 2000;

/** Folders as a person sees them who looks for a path. */
export function folderOperation(): Pick<DeskOperations, "folder"> {
  return { folder: (path) => folderView(path ?? homeFolder()) };
}

async function folderView(given: string): Promise<FolderView> {
  if (!isAbsolute(given)) {
    throw new HandlerError("usage", `a folder is named by its whole path, found ${given}`);
  }
  const path = normalize(given).replace(/(.)\/$/, "$1");
  if (await kindOf(path, "link") !== "folder") {
    throw new HandlerError("not_found", `there is no folder ${path}`);
  }
  const found = (await listed(path)).filter(({ name }) => !name.startsWith("."));
  const kinds = await Promise.all(
    found.slice(0, MOST).map(async ({ name, kind }) => ({
      name,
      kind: await kindOf(join(path, name), kind),
    })),
  );
  const only = (kind: "folder" | "file") =>
    kinds.filter((entry) => entry.kind === kind).map(({ name }) => ({ name, kind }));
  return { path, above: path === "/" ? null : dirname(path), entries: [...only("folder"), ...only("file")] };
}

async function listed(path: string): Promise<readonly Entry[]> {
  try {
    return await listFolder(path);
  } catch (error) {
    throw new HandlerError("denied", `the folder ${path} cannot be read: ${errorText(error)}`);
  }
}

/** A link is what it leads to. */
async function kindOf(path: string, kind: Entry["kind"]): Promise<"folder" | "file" | "other"> {
  if (kind !== "link") return kind;
  try {
    const info = await statIfThere(await realPath(path));
    return info?.isDirectory ? "folder" : info?.isFile ? "file" : "other";
  } catch {
    return "other";
  }
}
