import { linkTarget, realPath, statIfThere } from "../platform/mod.ts";
import type { Mount } from "./spec.ts";

/** A folder of the host's programs; `/bin` is a link on most systems and a folder on others. */
export type SystemFolder =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "link"; readonly path: string; readonly target: string };

const SYSTEM = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/etc/alternatives",
  "/nix/store",
  "/gnu/store",
];

/** The folders in which this machine keeps programs and what they load; nothing of a person's is in them. */
export async function systemFolders(): Promise<readonly SystemFolder[]> {
  const found = await Promise.all(SYSTEM.map(async (path): Promise<SystemFolder | undefined> => {
    const info = await statIfThere(path);
    if (info?.isSymlink) return { kind: "link", path, target: await linkTarget(path) };
    return info?.isDirectory ? { kind: "folder", path } : undefined;
  }));
  return found.filter((folder) => folder !== undefined);
}

/** The same as read-only mounts, a link as what it leads to. */
export async function systemMounts(): Promise<readonly Mount[]> {
  const folders = await systemFolders();
  return await Promise.all(folders.map(async ({ path }): Promise<Mount> => ({
    source: await realPath(path),
    target: path,
    mode: "ro",
  })));
}
